// The basic life cycle: from accepted to confirmed, as a caller sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::ElementsAre;

TEST(LaneLife, TransactionGoesFromAcceptedToConfirmed) {
    LaneScenario scenario;
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();

    const auto view = scenario.view(tx);
    EXPECT_EQ(view.position, (Position{State::confirmed, SubState::none}));
    EXPECT_EQ(view.nonce, Nonce(0));
    EXPECT_EQ(scenario.times_sent(*view.hash), 1U);
    EXPECT_THAT(scenario.history_kinds(tx), ElementsAre("accepted", "allocated", "broadcast", "mined", "confirmed"));
    scenario.expect_lawful();
}

TEST(LaneLife, ExecutesManyTransactionsOfTwoSubmittersInOrder) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, 100);
    scenario.accept(scenario.bob, 50);
    ASSERT_TRUE(scenario.run_until_settled()) << scenario.log.text();
    scenario.expect_lawful();

    std::uint64_t value = 1;
    for (const auto& executed : scenario.network.ledger().executed()) {
        if (executed.transaction->sender == *scenario.alice.evm_address())
            EXPECT_EQ(executed.transaction->value, Wei(value++));
    }
}

}  // namespace
}  // namespace fencepost::scenario
