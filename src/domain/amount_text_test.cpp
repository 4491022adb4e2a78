#include "domain/amount_text.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

constexpr std::uint64_t gwei = 1'000'000'000;

TEST(AmountText, UsesTheUnitThatFits) {
    EXPECT_EQ(amount_text(Wei(Uint256(0))), "0 wei");
    EXPECT_EQ(amount_text(Wei(Uint256(999'999))), "999999 wei");
    EXPECT_EQ(amount_text(Wei(Uint256(1'500'000'000))), "1.5 gwei");
    EXPECT_EQ(amount_text(Wei(Uint256(1'000'000 * gwei))), "0.001 ether");
    EXPECT_EQ(amount_text(Wei(Uint256(gwei) * Uint256(12 * gwei))), "12 ether");
}

TEST(AmountText, ShowsGasPricesInGwei) {
    EXPECT_EQ(gas_price_text(Wei(Uint256(7))), "7 wei per gas");
    EXPECT_EQ(gas_price_text(Wei(Uint256(1'751'000'000))), "1.751 gwei per gas");
    EXPECT_EQ(gas_price_text(Wei(Uint256(2'000'000 * gwei))), "2000000 gwei per gas");
}

}  // namespace
}  // namespace fencepost
