#include "sim/store/sim_store.hpp"

#include <gtest/gtest.h>

#include "sim/store/test_cluster.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

TEST(SimStore, CallTakesRequestCommitAndAnswerLatency) {
    Cluster c;
    const auto answer = c.start(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(2ms - 1ns);
    EXPECT_TRUE(c.seen<Opened>().size() == 1U) << "committed after the request and the commit";
    EXPECT_FALSE(*answer);
    c.world.run_for(1ms);
    EXPECT_EQ((**answer)->result, LeaseResult::inserted);
}

TEST(SimStore, ReadsReturnStoredData) {
    Cluster c;
    const auto tx = c.accept(1);
    EXPECT_EQ(c.run(c.process_a, c.a.by_id(tx)).value()->id, tx);
    EXPECT_EQ(c.run(c.process_b, c.b.head_of_queue(alice, {}, 9)).value().size(), 1U);
    EXPECT_EQ(c.run(c.process_b, c.b.unfinished_submitters()).value().at(0).submitter, alice);
}

TEST(SimStore, LateCommitIsVisibleToLaterReads) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a(alice, 60s);
    c.database.options().commit = exactly(7s);
    const auto answer = c.run(c.process_a, c.a.write({first_write(fence, tx)}));
    EXPECT_EQ(answer.error(), StoreError::unknown_outcome);
    EXPECT_EQ(c.state_of(tx), State::queued);
    c.world.run_for(3s);
    EXPECT_EQ(c.state_of(tx), State::allocated);
    EXPECT_EQ(c.database.counts().commits_late, 1U);
    EXPECT_EQ(c.database.counts().timed_out, 1U);
}

TEST(SimStore, ExecutesRequestsOfADeadNode) {
    Cluster c;
    const auto tx = c.accept(1);
    const auto fence = c.open_a();
    const auto answer = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.world.kill(c.process_a);
    c.world.run_for(1s);
    EXPECT_FALSE(*answer);
    EXPECT_EQ(c.state_of(tx), State::allocated);
    EXPECT_EQ(c.database.counts().commits_after_node_death, 1U);
}

TEST(SimStore, CutOffAffectsOneNodeOnly) {
    Cluster c;
    const auto tx = c.accept(1);
    c.database.cut_off("a", true);
    const auto before = c.world.now();
    EXPECT_EQ(c.run(c.process_a, c.a.by_id(tx)).error(), StoreError::unavailable);
    EXPECT_GE(c.world.now() - before, 5s) << "the call hangs and is not refused";
    EXPECT_EQ(c.run(c.process_a, c.a.open(alice, node_a, 10s)).error(), StoreError::unavailable)
        << "the request never left";
    EXPECT_TRUE(c.run(c.process_b, c.b.by_id(tx)));
    c.database.cut_off("a", false);
    EXPECT_TRUE(c.run(c.process_a, c.a.by_id(tx)));
    EXPECT_EQ(c.database.counts().cut_off, 2U);
}

TEST(SimStore, WriteInTransitDuringCutOffHasUnknownOutcome) {
    Cluster c;
    const auto answer = c.start(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(1500us);
    c.database.cut_off("a", true);
    c.world.run_for(10s);
    EXPECT_EQ((**answer).error(), StoreError::unknown_outcome);
    EXPECT_TRUE(c.lease());
}

TEST(SimStore, CrashRollsBackOpenTransactionsAndRefusesCalls) {
    Cluster c;
    c.database.options().commit = exactly(100ms);
    const auto answer = c.start(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(50ms);
    c.database.set_down(true);
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 10s)).error(), StoreError::unavailable);
    c.database.set_down(false);
    c.world.run_for(10s);
    EXPECT_EQ((**answer).error(), StoreError::unknown_outcome);
    EXPECT_FALSE(c.lease());
    EXPECT_EQ(c.database.counts().refused_while_down, 1U);
    EXPECT_EQ(c.database.counts().rolled_back_by_outage, 1U);
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 10s)).value().result, LeaseResult::inserted);
}

struct Fate {
    StoreError error;
    bool done;
};

Fate fate_of_an_opening_under(DatabaseFaults faults, std::uint64_t seed) {
    Cluster c(without_faults(), seed);
    c.database.faults() = faults;
    const auto answer = c.run(c.process_a, c.a.open(alice, node_a, 10s));
    c.world.run_for(1min);
    return {answer.error(), c.lease().has_value()};
}

TEST(SimStoreFaults, EachFaultHasItsEffect) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto rolled_back = fate_of_an_opening_under({.serialization_failures = 1000}, seed);
        EXPECT_EQ(rolled_back.error, StoreError::unavailable);
        EXPECT_FALSE(rolled_back.done);
        const auto answer_lost = fate_of_an_opening_under({.answers_lost = 1000}, seed);
        EXPECT_EQ(answer_lost.error, StoreError::unknown_outcome);
        EXPECT_TRUE(answer_lost.done);
        const auto request_lost = fate_of_an_opening_under({.requests_lost = 1000}, seed);
        EXPECT_EQ(request_lost.error, StoreError::unknown_outcome);
        EXPECT_FALSE(request_lost.done);
        const auto late = fate_of_an_opening_under({.commits_late = 1000}, seed);
        EXPECT_EQ(late.error, StoreError::unknown_outcome);
        EXPECT_TRUE(late.done);
    }
}

TEST(SimStoreFaults, ReadsAreSlowOrLostAndThenUnavailable) {
    Cluster c;
    c.database.faults() = {.answers_lost = 500, .requests_lost = 500};
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(c.run(c.process_a, c.a.live(10s)).error(), StoreError::unavailable);
    c.database.faults() = {.slow = 1000};
    int answered = 0;
    for (int i = 0; i < 50; ++i)
        answered += c.run(c.process_a, c.a.live(10s)).has_value() ? 1 : 0;
    EXPECT_GT(answered, 20);
    EXPECT_LT(answered, 50);
    const auto& counts = c.database.counts();
    EXPECT_EQ(counts.answers_lost + counts.requests_lost, 20U);
    EXPECT_EQ(counts.slow, 50U);
}

}  // namespace
}  // namespace fencepost::sim
