// The row locks that make a serial store behave like PostgreSQL under concurrency.
#include "sim/store/sim_database.hpp"

#include <gtest/gtest.h>

#include "sim/store/test_cluster.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

TEST(SimDatabase, OpeningWaitsForTheCommitOfAnExecutedWrite) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    c.database.options().commit = exactly(500ms);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.run_for(10ms);
    c.database.options().commit = exactly(1ms);
    const auto opened = c.start(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(400ms);
    EXPECT_FALSE(*opened);
    c.world.run_for(100ms);
    EXPECT_EQ((**written).value(), Answers{WriteAnswer::applied});
    EXPECT_EQ((**opened)->result, LeaseResult::reopened);
    EXPECT_EQ(c.state_of(tx), State::allocated);
    EXPECT_EQ(c.database.counts().blocked_openings, 1U);
    EXPECT_EQ(c.database.counts().evictions, 0U);
}

TEST(SimDatabase, BlockedOpeningEvictsAfterOneSecond) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    c.database.options().commit = exactly(4s);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.run_for(10ms);
    c.database.options().commit = exactly(1ms);
    const auto opened = c.start(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(995ms);
    EXPECT_FALSE(*opened);
    c.world.run_for(10ms);
    EXPECT_EQ((**opened)->result, LeaseResult::reopened);
    c.world.run_for(10s);
    EXPECT_FALSE((**written).has_value());
    EXPECT_EQ(c.state_of(tx), State::queued);
    EXPECT_EQ(c.database.counts().evictions, 1U);
}

TEST(SimDatabase, ALateCommitAfterATakeoverIsFenced) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a(alice, 2s);
    c.database.options().way = exactly(8s);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.database.options().way = exactly(1ms);
    c.world.run_for(3s);
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 2s)).value().result, LeaseResult::taken_over);
    c.world.run_for(10s);
    EXPECT_EQ((**written).error(), StoreError::unknown_outcome);
    EXPECT_EQ(c.state_of(tx), State::queued);
    const auto commits = c.seen<Committed>();
    ASSERT_EQ(commits.size(), 1U);
    EXPECT_EQ(commits[0].answer, WriteAnswer::fenced);
    EXPECT_EQ(commits[0].lease_before->owner, node_b);
    EXPECT_EQ(commits[0].write.fence, fence);
    EXPECT_LT(commits[0].asked_at, c.seen<Opened>().at(1).committed_at);
    EXPECT_GT(commits[0].executed_at, c.seen<Opened>().at(1).committed_at);
}

TEST(SimDatabase, ChecksTheFenceAtExecutionTime) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a(alice, 2s);
    c.database.options().commit = exactly(4s);
    EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx)})).value(), Answers{WriteAnswer::applied})
        << "it expired meanwhile, but the lock prevented a takeover";
    const auto commit = c.seen<Committed>().at(0);
    EXPECT_LT(commit.executed_at, commit.lease_before->expires_at);
    EXPECT_GT(commit.committed_at, commit.lease_before->expires_at);
    EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx)})).value(), Answers{WriteAnswer::fenced});
}

TEST(SimDatabase, WritesAndRenewalsSkipLockedRows) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto other = c.accept(2, bob);
    const auto fence = c.open_a();
    const auto bobs = c.open_a(bob);
    c.database.options().commit = exactly(100ms);
    const auto first = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.run_for(10ms);
    c.database.options().commit = exactly(1ms);
    EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx), first_write(bobs, other, bob)})).value(),
              (Answers{WriteAnswer::busy, WriteAnswer::applied}));
    EXPECT_EQ(c.run(c.process_a, c.a.renew({{alice, fence}, {bob, bobs}}, 10s)).value(),
              (std::vector{LeaseResult::busy, LeaseResult::renewed}));
    const Fence stale{node_b, FenceToken(1)};
    EXPECT_EQ(c.run(c.process_b, c.b.write({first_write(stale, tx)})).value(), Answers{WriteAnswer::fenced});
    EXPECT_EQ(c.run(c.process_b, c.b.renew({{alice, stale}}, 10s)).value(), std::vector{LeaseResult::not_owner});
    c.world.run_for(1s);
    EXPECT_EQ((**first).value(), Answers{WriteAnswer::applied});
    EXPECT_EQ(c.database.counts().busy, 2U);
}

TEST(SimDatabase, SecondWriteForASubmitterInABatchIsBusy) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx), first_write(fence, tx)})).value(),
              (Answers{WriteAnswer::applied, WriteAnswer::busy}));
}

TEST(SimDatabase, ReleaseWaitsForAWriteSeenByTheNextOwner) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    c.database.options().commit = exactly(100ms);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.run_for(10ms);
    c.database.options().commit = exactly(1ms);
    EXPECT_TRUE(c.run(c.process_a, c.a.release({{alice, fence}})));
    EXPECT_EQ((**written).value(), Answers{WriteAnswer::applied});
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 10s)).value().result, LeaseResult::taken_over);
    EXPECT_EQ(c.seen<Released>().at(0).lease_before->owner, node_a);
}

TEST(SimDatabase, DoesNotWaitForAHealthyOwnersLease) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    c.database.options().commit = exactly(4s);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.run_for(10ms);
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 10s)).value().result, LeaseResult::not_owner);
    EXPECT_EQ(c.database.counts().blocked_openings, 0U);
}

}  // namespace
}  // namespace fencepost::sim
