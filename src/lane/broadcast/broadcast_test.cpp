#include "lane/broadcast/broadcast.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "lane/broadcast/pool_repair.hpp"
#include "lane/bump/escalate.hpp"
#include "lane/bump/policies.hpp"
#include "lane/bump/replace.hpp"
#include "lane/test_chain.hpp"
#include "lane/test_clock.hpp"
#include "lane/test_ids.hpp"

namespace fencepost::lane {
namespace {

using test::ManualClock;
using test::some_submitter;

// Dependencies of a lane that sending does not use.
struct UnusedStore final : LaneStore {
    Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite>) override { FP_UNREACHABLE(); }
    Task<Result<LaneState, StoreError>> load(SubmitterId) override { FP_UNREACHABLE(); }
    Task<Result<LaneState, StoreError>> load_block(SubmitterId, SettledBlock) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId, AcceptSequence,
                                                                      std::size_t) override {
        FP_UNREACHABLE();
    }
    Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(SubmitterId, Duration) override {
        FP_UNREACHABLE();
    }
};
struct NoCommands final : Commands {
    Task<Result<CommandSequence, StoreError>> post(Command) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<Command>, StoreError>> pending(SubmitterId) override { FP_UNREACHABLE(); }
};
struct NoHeaders final : Headers {
    Task<Status<StoreError>> record(ChainRef, std::vector<BlockRef>) override { FP_UNREACHABLE(); }
    Task<Result<std::vector<BlockRef>, StoreError>> between(ChainRef, BlockNumber, BlockNumber) override {
        FP_UNREACHABLE();
    }
    Task<Status<StoreError>> prune_below(ChainRef, BlockNumber) override { FP_UNREACHABLE(); }
};
struct NoSigner final : Signer {
    [[nodiscard]] bool can_sign_for(const SubmitterId&) const override { return false; }
    Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction) override { FP_UNREACHABLE(); }
};
struct NoListener final : ChainListener {
    void on_head(const HeadChange&) override {}
    void on_receipt(const Receipt&) override {}
    void on_receipt_missed(const TxHash&) override {}
};

// One transaction with a nonce, in a lane whose lease ends at ten seconds.
class BroadcastTest : public ::testing::Test {
protected:
    BroadcastTest() {
        LaneState state{.next_nonce = Nonce(1)};
        state.watched.push_back(
            {.id = {}, .submitter = some_submitter, .sequence = {}, .position = {State::allocated, SubState::none}});
        state.watched[0].nonce = Nonce(0);
        state.watched[0].attempts = {Attempt{.nonce = Nonce(0), .hash = test::tx_hash(1), .raw = Bytes{1}}};
        memory_.emplace(state, 16, watch_.shares());
        memory_->start_tracking(state.watched[0], {});
    }
    void run() {
        context_.restart();
        context_.poll();
    }

    asio::io_context context_;
    Executor executor_ = context_.get_executor();
    UnusedStore store_;
    NoCommands commands_;
    NoHeaders headers_;
    NoSigner signer_;
    IdentityBuilder builder_;
    ManualClock clock_;
    NoTelemetry telemetry_;
    NoLog log_;
    NoAlerts alerts_;
    AsyncSemaphore workers_{executor_, 1};
    MultiplyFees bumps_;
    AlwaysDecide stuck_;
    LaneDependencies world_{store_, commands_, signer_,  builder_, clock_, telemetry_,
                            log_,   alerts_,   workers_, bumps_,   stuck_};
    test::ScriptedChain chain_{executor_};
    ChainWatch watch_{executor_, chain_, headers_, clock_, telemetry_, log_};
    HeldLease lease_{.fence = {NodeId("a"), FenceToken(1)}, .until = Instant(std::chrono::seconds(10))};
    Inbox inbox_{executor_};
    TaskGroup tasks_{executor_};
    NoListener listener_;
    CursorNonces nonces_;
    LaneContext lane_{some_submitter, {}, world_, watch_, lease_, inbox_, tasks_, listener_, nonces_};
    std::optional<LaneMemory> memory_;
};

TEST_F(BroadcastTest, ResendsUnsentBytesWhenTheLeaseReturns) {
    auto& tracked = memory_->tracked.at(Nonce(0));
    tracked.facts.resend_due = tracked.facts.stuck_due = Instant(std::chrono::hours(1));
    start_send(lane_, *memory_, {Nonce(0)});
    EXPECT_EQ(tracked.activity, Activity::sending);
    clock_.now = Instant(std::chrono::seconds(11));
    run();  // the chain aborts when it is asked to send: nothing leaves
    auto messages = inbox_.take();
    ASSERT_EQ(messages.size(), 1U) << "a send without a report would never end";
    handle_not_sent(lane_, *memory_, std::get<NotSent>(messages[0]));
    EXPECT_EQ(tracked.activity, Activity::idle);

    lease_.until = Instant(std::chrono::seconds(20));
    Turn turn(some_submitter, lease_.fence, SubmitterStatus::active);
    apply_decision(lane_, *memory_, decide_now(lane_, *memory_, tracked), tracked, turn);
    EXPECT_EQ(turn.sends(), std::vector{Nonce(0)});
}

TEST_F(BroadcastTest, DoesNotSendBytesThatAreBeingReplaced) {
    auto& tracked = memory_->tracked.at(Nonce(0));
    const auto may_still_send = send_permission(lane_, *memory_);
    const auto hash = tracked.tx.attempts[0].hash;
    EXPECT_TRUE(may_still_send(Nonce(0), hash));
    EXPECT_FALSE(may_still_send(Nonce(0), test::tx_hash(2))) << "not the current attempt";
    tracked.is_being_recorded = true;
    EXPECT_FALSE(may_still_send(Nonce(0), hash)) << "its replacement may be recorded already";
    tracked.is_being_recorded = false;
    tracked.activity = Activity::signing;
    EXPECT_FALSE(may_still_send(Nonce(0), hash));
    tracked.activity = Activity::idle;
    EXPECT_TRUE(may_still_send(Nonce(0), hash));
    clock_.now = Instant(std::chrono::seconds(11));
    EXPECT_FALSE(may_still_send(Nonce(0), hash)) << "the lease has expired";
    clock_.now = {};
    memory_.reset();
    EXPECT_FALSE(may_still_send(Nonce(0), hash)) << "the lane is closed";
}

TEST_F(BroadcastTest, RepairsNothingThatIsBeingSigned) {
    auto& tracked = memory_->tracked.at(Nonce(0));
    tracked.activity = Activity::signing;
    memory_->pools.to_repair = {Nonce(0)};
    start_repair(lane_, *memory_);
    EXPECT_EQ(tracked.activity, Activity::signing);
    run();
    EXPECT_TRUE(inbox_.take().empty());
}

// A send and a replacement can fall due in one wake-up. The answer to the send would end the signing early, and a
// second signature would make the same attempt twice.
TEST_F(BroadcastTest, ReplacesNothingThatIsBeingSent) {
    auto& tracked = memory_->tracked.at(Nonce(0));
    tracked.activity = Activity::sending;
    start_replace(lane_, *memory_, {Nonce(0)});
    EXPECT_EQ(tracked.activity, Activity::sending);
    run();
    EXPECT_TRUE(inbox_.take().empty());
}

}  // namespace
}  // namespace fencepost::lane
