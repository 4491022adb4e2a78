// Several attempts at one nonce on real nodes: bumps and gap fillers race with miners. The mined attempt decides.
#include <gtest/gtest.h>

#include "real_lane.hpp"

namespace fencepost::integration {
namespace {

using test::DevNodeKind;

class RealSameNonce : public testing::TestWithParam<DevNodeKind> {};

// Whichever attempt is mined, the chain contains only that one, and each attempt's hash leads to the transaction.
Task<void> expect_mined_alone(RealLane* lane, TxId tx, TxHash mined) {
    EXPECT_EQ((co_await lane->view(tx)).receipt.value().hash, mined);
    for (const auto& attempt : co_await lane->attempts(tx)) {
        EXPECT_EQ(co_await lane->is_mined(attempt.hash), attempt.hash == mined);
        EXPECT_EQ(co_await lane->by_hash(attempt.hash), tx);
    }
}

Task<void> bump_until_mined(RealLane* lane) {
    const auto tx = co_await lane->send(transfer_at(5));
    const auto attempts = co_await lane->until_replaced(tx, 3);
    for (std::size_t i = 1; i < attempts.size(); ++i) {
        EXPECT_EQ(attempts[i].kind, AttemptKind::bump);
        EXPECT_GT(max_fee(attempts[i].fees), max_fee(attempts[i - 1].fees));
        EXPECT_GT(max_priority_fee(attempts[i].fees), max_priority_fee(attempts[i - 1].fees));
        EXPECT_FALSE(co_await lane->is_held(attempts[i - 1].hash)) << "the node has replaced it";
    }
    co_await lane->settle({tx});
    EXPECT_EQ((co_await lane->view(tx)).position.state, State::confirmed);
    co_await expect_mined_alone(lane, tx, attempts.back().hash);
}

TEST_P(RealSameNonce, BumpMeetsNodeReplacementRule) {
    auto options = fast_options();
    options.bump.enabled = true;
    options.bump.max_attempts = 2;
    RealLane lane(options, GetParam());
    lane.run(bump_until_mined(&lane));
}

Task<void> mine_what_was_bumped(RealLane* lane) {
    const auto tx = co_await lane->send(transfer_at(5));
    const auto attempts = co_await lane->until_replaced(tx, 2);
    co_await lane->mine_older_attempt(attempts[0], attempts[1]);
    co_await lane->settle({tx});
    EXPECT_EQ((co_await lane->view(tx)).position.state, State::confirmed);
    co_await expect_mined_alone(lane, tx, attempts[0].hash);
}

TEST_P(RealSameNonce, Failure06OlderAttemptCountsWhenMined) {
    auto options = without_resends();
    options.bump = {.enabled = true, .min_interval = std::chrono::milliseconds(300), .max_attempts = 1};
    RealLane lane(options, GetParam());
    lane.run(mine_what_was_bumped(&lane));
}

INSTANTIATE_TEST_SUITE_P(On, RealSameNonce, testing::Values(DevNodeKind::anvil, DevNodeKind::hardhat),
                         [](const auto& node) { return node.param == DevNodeKind::anvil ? "Anvil" : "Hardhat"; });

Task<void> cancel_in_time(RealLane* lane) {
    const auto tx = co_await lane->send(transfer());
    co_await lane->cancel(tx);
    const auto attempts = co_await lane->until_replaced(tx, 2);
    EXPECT_EQ(attempts[1].kind, AttemptKind::filler);
    EXPECT_EQ((co_await lane->view(tx)).position.sub, SubState::cancelling) << "no verdict before a block has it";
    co_await lane->settle({tx});
    EXPECT_EQ((co_await lane->view(tx)).position.state, State::cancelled);
    co_await expect_mined_alone(lane, tx, attempts[1].hash);
}

TEST(RealCancel, CancelledWhenGapFillerIsMined) {
    RealLane lane(without_resends());
    lane.run(cancel_in_time(&lane));
}

Task<void> cancel_too_late(RealLane* lane) {
    const auto tx = co_await lane->send(transfer());
    co_await lane->cancel(tx);
    const auto attempts = co_await lane->until_replaced(tx, 2);
    co_await lane->mine_older_attempt(attempts[0], attempts[1]);
    co_await lane->settle({tx});
    EXPECT_EQ((co_await lane->view(tx)).position.state, State::confirmed);
    co_await expect_mined_alone(lane, tx, attempts[0].hash);
}

TEST(RealCancel, ConfirmedWhenOriginalIsMined) {
    RealLane lane(without_resends());
    lane.run(cancel_too_late(&lane));
}

// The gap filler is recorded and being sent while a block is made: either may win.
Task<void> race(RealLane* lane) {
    for (int round = 0; round < 10; ++round) {
        const auto tx = co_await lane->send(transfer());
        co_await lane->cancel(tx);
        const auto attempts = co_await lane->until_attempts(tx, 2);
        co_await lane->mine();
        co_await lane->settle({tx});
        const bool original = co_await lane->is_mined(attempts[0].hash);
        const auto verdict = (co_await lane->view(tx)).position.state;
        EXPECT_EQ(verdict, original ? State::confirmed : State::cancelled) << "in round " << round;
    }
}

TEST(RealCancel, MinedAttemptDecidesRaceWithBlock) {
    RealLane lane(fast_options());
    lane.run(race(&lane));
}

}  // namespace
}  // namespace fencepost::integration
