#include "relaxed/test_source.hpp"

namespace fencepost::relaxed {
namespace {

using AlignTest = SourceTest;
using Fault = FaultyNonces::Fault;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(AlignTest, CountFollowsAChainThatIsAhead) {
    for (std::uint64_t i = 0; i < 3; ++i)
        EXPECT_EQ(reserve(), Nonce(i));
    ASSERT_TRUE(follow(0, Progress::sending));
    ASSERT_TRUE(give_back(2));
    chain_.mine_up_to(9);
    const auto aligned = run(source_->align()).value();
    EXPECT_EQ(aligned.before, Nonce(3));
    EXPECT_EQ(aligned.after, Nonce(9));
    const auto counts = allocations();
    EXPECT_EQ(counts.in_flight, 1U);
    EXPECT_EQ(counts.reserved, 1U);
    EXPECT_EQ(counts.recyclable, 1U);
    EXPECT_EQ(counts.used, 0U) << "no nonce is marked used because of a count";
    EXPECT_THAT(sinks_.logged, SizeIs(1));
    ASSERT_TRUE(follow(0, Progress::final)) << "its hash was found";
    EXPECT_EQ(reserve(), Nonce(9)) << "also with an outdated cache";
    EXPECT_THAT(sinks_.raised, IsEmpty());
}

TEST_F(AlignTest, ChainThatIsBehindChangesNothing) {
    chain_.mine_up_to(5);
    EXPECT_EQ(reserve(), Nonce(5));
    chain_.latest = chain_.pending = 2;
    const auto aligned = run(source_->align()).value();
    EXPECT_EQ(aligned.after, Nonce(6));
    EXPECT_THAT(sinks_.logged, IsEmpty());
}

TEST_F(AlignTest, ReservationsAboveTheThresholdRaiseAnError) {
    open({.reserved_threshold = 2});
    for (int i = 0; i < 3; ++i)
        std::ignore = reserve();
    ASSERT_TRUE(follow(0, Progress::sending));
    ASSERT_TRUE(run(source_->align()));
    EXPECT_THAT(sinks_.raised, IsEmpty()) << "two, and one in flight";
    std::ignore = reserve();
    ASSERT_TRUE(run(source_->align()));
    ASSERT_THAT(sinks_.raised, SizeIs(1));
    EXPECT_EQ(sinks_.raised[0].kind, AlertKind::reserved_above_threshold);
    EXPECT_EQ(sinks_.raised[0].level, AlertLevel::error);
    EXPECT_EQ(sinks_.raised[0].submitter, shared);
}

TEST(RelaxedOptionsTest, ByDefaultAHundredReservationsAreAllowed) {
    EXPECT_EQ(RelaxedOptions{}.reserved_threshold, 100U);
    EXPECT_EQ(RelaxedOptions{}.reconcile_interval, std::chrono::minutes(5));
}

TEST_F(AlignTest, FailedReconciliationIsCritical) {
    chain_.offline = true;
    EXPECT_EQ(run(source_->align()).error(), NonceError::unavailable);
    chain_.offline = false;
    nonces_.next = Fault::before_commit;
    EXPECT_EQ(run(source_->align()).error(), NonceError::unavailable);
    nonces_.reads_fail = true;
    EXPECT_EQ(run(source_->align()).error(), NonceError::unavailable);
    ASSERT_THAT(sinks_.raised, SizeIs(3));
    for (const auto& alert : sinks_.raised) {
        EXPECT_EQ(alert.kind, AlertKind::reconcile_failure);
        EXPECT_EQ(alert.level, AlertLevel::critical);
    }
}

TEST_F(AlignTest, ReconcilesPeriodicallyUntilTheLeaseIsLost) {
    world_.spawn(node_, source_->align_periodically());
    world_.run_for(11min);
    EXPECT_EQ(chain_.asked, 3U) << "at once, and every five minutes";
    chain_.offline = true;
    world_.run_for(5min);
    EXPECT_EQ(chain_.asked, 4U);
    chain_.offline = false;
    const auto stale = std::exchange(source_, nullptr);
    open();
    world_.run_for(5min);
    EXPECT_EQ(chain_.asked, 5U);
    world_.run_for(1h);
    EXPECT_EQ(chain_.asked, 5U) << "over";
    EXPECT_THAT(sinks_.raised, SizeIs(1)) << "a lease held by another node is no failure";
}

}  // namespace
}  // namespace fencepost::relaxed
