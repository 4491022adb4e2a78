// The sum is over a sliding window, and counts each transaction once, at its maximum.
#include "lane/prepare/spending_window.hpp"

#include <gtest/gtest.h>

#include "lane/test_ids.hpp"

namespace fencepost::lane {
namespace {

using namespace std::chrono_literals;
using test::tx_id;

Spending spending(std::uint64_t value, std::uint64_t gas) { return {.value = Wei(value), .gas = Wei(gas)}; }

TEST(SpendingWindow, CountsEachTransactionOnceAtItsMaximum) {
    SpendingWindow window;
    window.add(tx_id(1), spending(5, 10), Instant(0s));
    window.add(tx_id(1), spending(5, 30), Instant(50s));
    window.add(tx_id(1), spending(5, 20), Instant(50s));
    window.add(tx_id(2), spending(7, 1), Instant(10s));
    EXPECT_EQ(window.sum(Instant(59s), 1min).value, Wei(12));
    EXPECT_EQ(window.sum(Instant(59s), 1min).gas, Wei(31));
    EXPECT_EQ(window.sum(Instant(60s), 1min).value, Wei(7)) << "its age counts from the allocation";
    EXPECT_EQ(window.sum(Instant(70s), 1min).value, Wei(0));
}

TEST(SpendingWindow, ContinuesFromTheStore) {
    SpendingWindow window;
    window.load({{.tx = tx_id(1), .ago = 40s, .spending = spending(5, 10)},
                 {.tx = tx_id(2), .ago = 10s, .spending = spending(1, 1)}},
                Instant(100s));
    window.add(tx_id(2), spending(1, 3), Instant(100s));
    window.add(tx_id(3), spending(2, 2), Instant(100s));
    EXPECT_EQ(window.sum(Instant(100s), 1min).value, Wei(8));
    EXPECT_EQ(window.sum(Instant(100s), 1min).gas, Wei(15));
    window.forget(tx_id(3));
    EXPECT_EQ(window.sum(Instant(120s), 1min).value, Wei(1));
}

TEST(SpendingWindow, SumSaturates) {
    SpendingWindow window;
    window.add(tx_id(1), {.value = Wei(Uint256::max()), .gas = Wei(1)}, Instant(0s));
    window.add(tx_id(2), spending(1, 1), Instant(0s));
    EXPECT_EQ(window.sum(Instant(1s), 1min).value, Wei(Uint256::max()));
}

TEST(SpendingWindow, IsUsedOnlyIfThePolicyLimitsSums) {
    EXPECT_FALSE(limits_window(std::nullopt));
    EXPECT_FALSE(limits_window(SubmitterPolicy{.limits = {.value_per_transaction = Wei(1)}}));
    EXPECT_TRUE(limits_window(SubmitterPolicy{.limits = {.value_per_window = Wei(1)}}));
    EXPECT_TRUE(limits_window(SubmitterPolicy{.limits = {.gas_spend_per_window = Wei(1)}}));
}

}  // namespace
}  // namespace fencepost::lane
