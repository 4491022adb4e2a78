// The simulated database under load and with every fault: repeatable, without violations, and fast enough for thousands
// of seeds.
#include <gtest/gtest.h>

#include "sim/store/test_cluster.hpp"

namespace fencepost::sim {
namespace {

using namespace test;

// A minimal lane without a chain: opens, reads, allocates queued intents, and reopens whenever an outcome is unknown.
Task<void> run_minimal_lane(SimStore* store, SimClock clock, SubmitterId submitter, NodeId node) {
    for (;;) {
        co_await clock.sleep_for(200ms);
        const auto opened = co_await store->open(submitter, node, 10s);
        if (!opened || !opened->fence) continue;
        const auto view = co_await store->submitter(submitter);
        if (!view) continue;
        auto next = view->next_nonce;
        for (bool goes_on = true; goes_on;) {
            co_await clock.sleep_for(20ms);
            const auto queue = co_await store->head_of_queue(submitter, {}, 1);
            if (!queue || queue->empty()) break;
            const auto nonce = next.value_or(Nonce(0));
            const LaneWrite write{.submitter = submitter,
                                  .fence = *opened->fence,
                                  .cursor = CursorMove{next, nonce.next()},
                                  .transactions = {allocation(queue->front().id, nonce.value())}};
            const auto answers = co_await store->write({write});
            goes_on = answers && answers->at(0) == WriteAnswer::applied;
            next = nonce.next();
        }
    }
}

// Retries the same request until it gets an answer.
Task<void> run_client(SimStore* store, SimClock clock, SubmitterId submitter, std::uint8_t number) {
    for (std::uint16_t i = 0; i < 100; ++i) {
        Uuid id;
        id.data[0] = number;
        id.data[15] = static_cast<std::uint8_t>(i);
        const NewIntent intent{TxId(id), submitter, RequestId(std::to_string(number * 1000 + i)), {}};
        while (!(co_await store->accept({intent})))
            co_await clock.sleep_for(50ms);
        co_await clock.sleep_for(300ms);
    }
}

// Checks law 1 at every commit.
struct FenceChecker {
    void operator()(const DatabaseEvent& event) {
        const auto* commit = std::get_if<Committed>(&event);
        if (commit == nullptr || commit->answer != WriteAnswer::applied) return;
        if (!holds(commit->lease_before, commit->write.fence, commit->executed_at)) ++violations;
    }
    std::uint64_t violations = 0;
};

struct Run {
    std::uint64_t trace = 0;
    std::uint64_t violations = 0;
    std::size_t assigned = 0;
    DatabaseCounts counts{};
    friend bool operator==(const Run&, const Run&) = default;
};

constexpr DatabaseFaults all_faults{
    .slow = 20, .serialization_failures = 20, .answers_lost = 20, .requests_lost = 20, .commits_late = 30};

Run run_with_faults(std::uint64_t seed, DatabaseMutant mutant = DatabaseMutant::none) {
    FenceChecker checker;  // outlives the world, whose end destroys frames
    Cluster c({.faults = all_faults, .mutant = mutant}, seed);
    c.events.reserve(10'000);
    c.database.watch(std::ref(checker));
    for (auto* store : {&c.a, &c.b}) {
        auto& process = store == &c.a ? c.process_a : c.process_b;
        for (const auto& submitter : {alice, bob}) {
            const std::uint8_t number =
                static_cast<std::uint8_t>((submitter == alice ? 1 : 2) + (store == &c.a ? 2 : 0));
            c.world.spawn(process,
                          run_minimal_lane(store, SimClock(process), submitter, store == &c.a ? node_a : node_b));
            c.world.spawn(process, run_client(store, SimClock(process), submitter, number));
        }
    }
    for (int i = 0; i < 4; ++i) {
        c.world.run_for(15s);
        c.database.cut_off("a", true);
        c.world.run_for(15s);
        c.database.cut_off("a", false);
        c.database.set_down(i % 2 == 0);
        c.world.run_for(2s);
        c.database.set_down(false);
    }
    c.database.faults() = {};
    c.world.run_for(1min);
    const auto listed = c.truth(c.database.truth().list({.state = State::allocated, .limit = 10'000}));
    return {c.world.trace_hash(), checker.violations, listed.size(), c.database.counts()};
}

TEST(SimDatabaseRuns, TheSameSeedGivesTheSameRun) {
    const auto first = run_with_faults(7);
    EXPECT_EQ(first, run_with_faults(7));
    EXPECT_NE(first, run_with_faults(8));
}

TEST(SimDatabaseRuns, InjectsEveryFaultAndTheFenceHolds) {
    DatabaseCounts sum;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto run = run_with_faults(seed);
        EXPECT_EQ(run.violations, 0U);
        EXPECT_EQ(run.assigned, 400U) << "every accepted intent is allocated after the faults end";
        sum += run.counts;
    }
    for (const auto& [name, field] : DatabaseCounts::fields()) {
        // No node dies in this test, and lanes that open before each write find no row locked.
        if (field == &DatabaseCounts::commits_after_node_death || field == &DatabaseCounts::busy) continue;
        EXPECT_GT(sum.*field, 0U) << name;
    }
}

TEST(SimDatabaseRuns, CheckerDetectsMissingFenceOrLock) {
    using enum DatabaseMutant;
    for (const auto mutant : {no_fence_check, no_row_lock, late_commit_after_opening}) {
        std::uint64_t violations = 0;
        for (std::uint64_t seed = 0; seed < 20 && violations == 0; ++seed)
            violations = run_with_faults(seed, mutant).violations;
        EXPECT_GT(violations, 0U) << name_of(mutant);
    }
}

TEST(SimDatabaseRuns, OtherNodeContinuesAfterAKillAtAnyMoment) {
    for (std::uint64_t moment = 0; moment < 60; ++moment) {
        Cluster c({.faults = all_faults}, moment);
        c.world.spawn(c.process_b, run_client(&c.b, SimClock(c.process_b), alice, 1));
        c.world.spawn(c.process_a, run_minimal_lane(&c.a, SimClock(c.process_a), alice, node_a));
        c.world.spawn(c.process_b, run_minimal_lane(&c.b, SimClock(c.process_b), alice, node_b));
        c.world.run_for(Duration(moment * 7'300us));
        c.world.kill(c.process_a);
        c.world.run_for(40s);
        EXPECT_EQ(c.lease()->owner, node_b);
    }
}

}  // namespace
}  // namespace fencepost::sim
