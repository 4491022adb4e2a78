#include "devchain/dev_accounts.hpp"

#include <gtest/gtest.h>

namespace fencepost::devchain {
namespace {

TEST(DevAccounts, MatchOtherDevelopmentNodes) {
    const auto accounts = dev_accounts();
    ASSERT_EQ(accounts.size(), 10U);
    EXPECT_EQ(accounts.front().to_checksum(), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    EXPECT_EQ(accounts.back().to_checksum(), "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720");
}

TEST(DevAccounts, StartWithTenThousandEther) { EXPECT_EQ(dev_funds().to_decimal(), "10000" + std::string(18, '0')); }

}  // namespace
}  // namespace fencepost::devchain
