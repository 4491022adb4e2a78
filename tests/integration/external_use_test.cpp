// An external sender uses our key with ethers on a real node: the submitter is stopped with the external transaction
// named, and resumes when an operator who has seen the plan says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "real_lane.hpp"

namespace fencepost::integration {
namespace {

using lane::AfterUnprotect;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Step = lane::UnprotectPlan::Step;

Task<void> expect_stopped_by(RealLane* lane, TxHash external) {
    const auto name = to_hex_prefixed(external.view());
    EXPECT_THAT((co_await lane->until_protected()).status.reason, HasSubstr(name));
    const auto answer = co_await lane->offer(transfer());
    EXPECT_EQ(answer.kind, AcceptKind::submitter_protected);
    EXPECT_THAT(answer.reason, HasSubstr(name)) << "the caller gets the reason";
}

Task<void> expect_refusal(RealLane* lane, std::string why) {
    EXPECT_THAT((co_await lane->plan_unprotect()).refusal.value_or("none"), HasSubstr(why));
    co_await lane->unprotect();
    EXPECT_EQ((co_await lane->submitter()).status.status, SubmitterStatus::protect);
}

Task<void> resume_at(RealLane* lane, Nonce cursor) {
    const auto plan = co_await lane->plan_unprotect();
    EXPECT_EQ(plan.refusal, std::nullopt);
    EXPECT_EQ(plan.cursor, cursor);
    co_await lane->unprotect();
    EXPECT_EQ((co_await lane->submitter()).status.status, SubmitterStatus::active);
}

Task<void> expect_confirmed_at(RealLane* lane, TxId tx, Nonce nonce) {
    co_await lane->settle({tx});
    const auto seen = co_await lane->view(tx);
    EXPECT_EQ(seen.position.state, State::confirmed);
    EXPECT_EQ(seen.nonce, nonce);
}

Task<void> use_key_while_in_flight(RealLane* lane) {
    const auto taken = co_await lane->send(transfer());
    const auto waiting = co_await lane->accept(transfer());
    const auto external = co_await lane->send_externally(Nonce(0), 50);
    co_await lane->mine();
    co_await expect_stopped_by(lane, external);
    EXPECT_EQ((co_await lane->view(taken)).position, (Position{State::stuck, SubState::nonce_taken}));
    EXPECT_THAT((co_await lane->plan_unprotect()).steps,
                ElementsAre(Step{taken, Nonce(0), AfterUnprotect::fails},
                            Step{waiting, std::nullopt, AfterUnprotect::stays_queued}));
    co_await expect_refusal(lane, "nonce 0 was used by an external transaction that is not final yet");
    co_await lane->mine_until_final();
    co_await lane->until(taken, "it has failed",
                         [](const TxView& seen) { return seen.position.state == State::failed_final; });
    co_await resume_at(lane, Nonce(1));
    co_await expect_confirmed_at(lane, waiting, Nonce(1));
    co_await expect_confirmed_at(lane, co_await lane->accept(transfer()), Nonce(2));
    EXPECT_FALSE(co_await lane->is_mined((co_await lane->view(taken)).hash.value())) << "never requeued silently";
}

TEST(RealExternalUse, Failure29TakenInFlightNonceStopsSubmitterUntilUnprotect) {
    auto options = fast_options();
    options.window = 1;
    RealLane lane(options);
    lane.run(use_key_while_in_flight(&lane));
}

Task<void> use_key_while_stopped(RealLane* lane) {
    const auto before = co_await lane->send(transfer());
    co_await lane->settle({before});
    co_await lane->close();
    const auto external = co_await lane->send_externally(Nonce(1), 1);
    co_await lane->mine();
    lane->open();
    co_await expect_stopped_by(lane, external);
    co_await expect_refusal(lane, "nonces 1 to 1 were used by external transactions that are not final yet");
    EXPECT_EQ((co_await lane->submitter()).next_nonce, Nonce(1)) << "never a silent jump";
    co_await lane->mine_until_final();
    co_await resume_at(lane, Nonce(2));
    co_await expect_confirmed_at(lane, co_await lane->accept(transfer()), Nonce(2));
}

TEST(RealExternalUse, Failure05ExternalUseWhileStoppedProtectsUntilUnprotect) {
    RealLane lane(fast_options());
    lane.run(use_key_while_stopped(&lane));
}

Task<void> use_key_while_idle(RealLane* lane) {
    co_await lane->settle({co_await lane->send(transfer())});
    co_await lane->set_automine(true);
    const auto external = co_await lane->send_externally(Nonce(1), 1);
    co_await lane->set_automine(false);
    co_await expect_stopped_by(lane, external);
    co_await resume_at(lane, Nonce(2));  // hardhat treats its last block as final
    co_await expect_confirmed_at(lane, co_await lane->accept(transfer()), Nonce(2));
}

TEST(RealExternalUse, Failure05ExternalUseWhileIdleStopsSubmitter) {
    RealLane lane(fast_options(), test::DevNodeKind::hardhat);
    lane.run(use_key_while_idle(&lane));
}

// Anvil does not expose its pool's transactions, so this one is not named; that the nonce was not ours is enough to
// stop.
Task<void> see_external_in_flight(RealLane* lane) {
    co_await lane->settle({co_await lane->send(transfer())});
    const auto external = co_await lane->send_externally(Nonce(1), 1);
    EXPECT_THAT((co_await lane->until_protected()).status.reason,
                HasSubstr("are in flight, and Fencepost never allocated them, first transaction " +
                          to_hex_prefixed(external.view())));
    EXPECT_EQ((co_await lane->offer(transfer())).kind, AcceptKind::submitter_protected);
    co_await expect_refusal(lane, "nonces 1 to 1 are used by external transactions in flight");
    co_await lane->mine();
    EXPECT_TRUE(co_await lane->is_mined(external));
    co_await lane->mine_until_final();
    co_await resume_at(lane, Nonce(2));
    co_await expect_confirmed_at(lane, co_await lane->accept(transfer()), Nonce(2));
}

TEST(RealExternalUse, PendingExternalTransactionStopsIdleSubmitter) {
    RealLane lane(fast_options());
    lane.run(see_external_in_flight(&lane));
}

}  // namespace
}  // namespace fencepost::integration
