// Each mutant breaks the promise it is named after. Whether the checkers detect it is tested with the simulator.
#include "sim/store/database_mutants.hpp"

#include <gtest/gtest.h>

#include "sim/store/test_cluster.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using enum DatabaseMutant;

const Fence unowned_fence{NodeId("no-owner"), FenceToken(77)};

TEST(DatabaseMutants, HaveNames) {
    EXPECT_EQ(name_of(no_row_lock), "no_row_lock");
    EXPECT_EQ(enum_names<DatabaseMutant>.back().first, cursor_skips_one);
}

TEST(DatabaseMutants, NoFenceCheckWritesUnderAnyFence) {
    Cluster c(without_faults(no_fence_check));
    const auto tx = c.accept(1);
    const auto other = c.accept(2, bob);
    const auto fence = c.open_a();
    const auto bobs = c.open_a(bob);
    EXPECT_TRUE(c.run(c.process_a, c.a.release({{bob, bobs}})));
    const auto answers =
        c.run(c.process_b, c.b.write({first_write(unowned_fence, tx), first_write(unowned_fence, other, bob)}));
    EXPECT_EQ(answers.value(), (Answers{WriteAnswer::applied, WriteAnswer::applied}));
    const auto commit = c.seen<Committed>().at(0);
    EXPECT_EQ(commit.write.fence, unowned_fence) << "checkers see the requested fence";
    EXPECT_EQ(commit.lease_before->token, fence.token);
}

TEST(DatabaseMutants, NoRowLockAllowsATakeoverBeforeCommit) {
    Cluster c(without_faults(no_row_lock));
    const auto tx = c.accept(1);
    const auto fence = c.open_a(alice, 2s);
    c.database.options().commit = exactly(4s);
    const auto written = c.start(c.process_a, c.a.write({first_write(fence, tx)}));
    c.database.options().commit = exactly(1ms);
    c.world.run_for(2s);
    EXPECT_EQ(c.run(c.process_b, c.b.open(alice, node_b, 10s)).value().result, LeaseResult::taken_over);
    EXPECT_EQ(c.run(c.process_b, c.b.by_id(tx)).value()->position.state, State::queued);
    c.world.run_for(4s);
    EXPECT_EQ((**written).value(), Answers{WriteAnswer::applied});
    EXPECT_EQ(c.state_of(tx), State::allocated);
    EXPECT_EQ(c.run(c.process_b, c.b.write({first_write(unowned_fence, tx)})).value(), Answers{WriteAnswer::fenced});
}

TEST(DatabaseMutants, WriteAnsweredBeforeCommitIsLostWithItsNode) {
    for (const bool dies : {false, true}) {
        Cluster c(without_faults(write_answered_before_commit));
        const auto tx = c.accept(1);
        const auto fence = c.open_a();
        EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx)})).value(), Answers{WriteAnswer::applied});
        EXPECT_EQ(c.state_of(tx), State::queued);
        if (dies) c.world.kill(c.process_a);
        c.world.run_for(3s);
        EXPECT_EQ(c.state_of(tx), dies ? State::queued : State::allocated);
        EXPECT_TRUE(c.run(c.process_b, c.b.open(alice, node_b, 10s))) << "no lock is left";
    }
}

std::size_t accepted_under(DatabaseMutant mutant, std::uint64_t seed) {
    Cluster c(without_faults(mutant), seed);
    for (std::uint8_t i = 1; i <= 40; ++i) {
        Uuid id;
        id.data[15] = i;
        const RequestId request(std::to_string(i / 2));
        EXPECT_TRUE(c.run(c.process_a, c.a.accept({{TxId(id), alice, request, {}}})));
    }
    c.world.run_for(1s);
    return c.truth(c.database.truth().list({})).size();
}

TEST(DatabaseMutants, BreakAcceptance) {
    EXPECT_EQ(accepted_under(none, 1), 21U) << "1 to 40, halved: 0 to 20";
    EXPECT_EQ(accepted_under(request_id_not_unique, 1), 40U);
    EXPECT_LT(accepted_under(accept_answered_before_commit, 1), 21U);
}

TEST(DatabaseMutants, CursorWithoutCompareMovesFromAnywhere) {
    for (const auto mutant : {none, cursor_without_compare}) {
        Cluster c(without_faults(mutant));
        const auto fence = c.open_a();
        const auto move = [&](std::optional<Nonce> expected, Nonce next) {
            const LaneWrite write{.submitter = alice, .fence = fence, .cursor = CursorMove{expected, next}};
            return c.run(c.process_a, c.a.write({write})).value().at(0);
        };
        EXPECT_EQ(move(std::nullopt, Nonce(5)), WriteAnswer::applied);
        EXPECT_EQ(move(Nonce(3), Nonce(4)), mutant == none ? WriteAnswer::conflict : WriteAnswer::applied);
    }
}

TEST(DatabaseMutants, CursorSkipsOneSometimesSkipsANonce) {
    Cluster c(without_faults(cursor_skips_one));
    const auto fence = c.open_a(alice, 1h);
    const auto cursor = [&] { return c.truth(c.database.truth().submitter(alice)).next_nonce; };
    std::uint64_t moves = 0;
    for (; moves < 1'000 && cursor().value_or(Nonce{}) == Nonce(moves); ++moves) {
        const LaneWrite write{.submitter = alice, .fence = fence, .cursor = CursorMove{cursor(), Nonce(moves + 1)}};
        EXPECT_EQ(c.run(c.process_a, c.a.write({write})).value(), Answers{WriteAnswer::applied});
    }
    EXPECT_EQ(cursor(), Nonce(moves + 1));
}

TEST(DatabaseMutants, ReleaseWithoutCompareFreesAnothersLease) {
    for (const auto mutant : {none, release_without_compare}) {
        Cluster c(without_faults(mutant));
        static_cast<void>(c.open_a());
        EXPECT_TRUE(c.run(c.process_b, c.b.release({{alice, unowned_fence}})));
        EXPECT_EQ(is_expired(*c.lease(), c.world.unix_now()), mutant != none);
        const auto seen = c.seen<Released>().at(0);
        EXPECT_EQ(seen.lease_after == seen.lease_before, mutant == none) << "checkers see the real row";
    }
}

TEST(DatabaseMutants, SharedReservationUnfencedIgnoresTheFence) {
    for (const auto mutant : {none, shared_reservation_unfenced}) {
        Cluster c(without_faults(mutant));
        static_cast<void>(c.open_a());
        const auto aligned = c.run(c.process_b, c.b.align(alice, unowned_fence, Nonce(0))).value();
        EXPECT_EQ(aligned.answer, mutant == none ? WriteAnswer::fenced : WriteAnswer::applied);
        EXPECT_EQ(c.seen<Committed>().at(0).write.fence, unowned_fence) << "checkers see the requested fence";
    }
}

TEST(DatabaseMutants, BreakOpenings) {
    Cluster kept(without_faults(token_kept_on_reopening));
    const auto fence = kept.open_a();
    kept.world.run_for(5s);
    EXPECT_EQ(kept.open_a(), fence);
    EXPECT_GT(kept.lease()->expires_at, kept.world.unix_now() + 9s);
    EXPECT_EQ(kept.seen<Opened>().at(1).answer.result, LeaseResult::reopened);

    Cluster early(without_faults(takeover_before_expiry));
    static_cast<void>(early.open_a());
    EXPECT_EQ(early.run(early.process_b, early.b.open(alice, node_b, 10s)).value().result, LeaseResult::taken_over);

    Cluster skewed(without_faults(expiry_by_node_clock));
    static_cast<void>(skewed.open_a());
    EXPECT_EQ(skewed.run(skewed.process_b, skewed.b.open(alice, node_b, 10s)).value().result, LeaseResult::not_owner);
    skewed.process_b.set_clock_skew(11s);
    EXPECT_EQ(skewed.run(skewed.process_b, skewed.b.open(alice, node_b, 10s)).value().result, LeaseResult::taken_over);
}

TEST(DatabaseMutants, StateNotComparedMovesFromAnyState) {
    for (const auto mutant : {none, state_not_compared}) {
        Cluster c(without_faults(mutant));
        const auto tx = c.accept(1);
        const auto fence = c.open_a();
        EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(fence, tx)})).value(), Answers{WriteAnswer::applied});
        const LaneWrite again{.submitter = alice,
                              .fence = fence,
                              .transactions = {{.tx = tx, .expected = {State::tracking}, .to = {State::tracking}}}};
        EXPECT_EQ(c.run(c.process_a, c.a.write({again})).value(),
                  Answers{mutant == none ? WriteAnswer::conflict : WriteAnswer::applied});
    }
}

std::size_t events_under(DatabaseMutant mutant) {
    Cluster c(without_faults(mutant));
    const auto fence = c.open_a(alice, 1h);
    LaneWrite write{.submitter = alice, .fence = fence, .cursor = CursorMove{std::nullopt, Nonce(20)}};
    for (std::uint8_t i = 0; i < 20; ++i)
        write.transactions.push_back(allocation(c.accept(static_cast<std::uint8_t>(i + 1)), i));
    EXPECT_EQ(c.run(c.process_a, c.a.write({write})).value(), Answers{WriteAnswer::applied});
    return c.truth(c.database.truth().read_after({}, 1000)).size() - 20;  // without the accept events
}

TEST(DatabaseMutants, BreakWrites) {
    EXPECT_EQ(events_under(none), 20U);
    EXPECT_LT(events_under(events_dropped), 20U);
    EXPECT_GT(events_under(event_written_twice), 20U);
    EXPECT_EQ(events_under(partial_write), 10U);
}

TEST(DatabaseMutants, UnknownOutcomeReportedFailedMayBeApplied) {
    Cluster c(without_faults(unknown_outcome_reported_failed));
    c.database.faults() = {.answers_lost = 1000};
    EXPECT_EQ(c.run(c.process_a, c.a.open(alice, node_a, 10s)).error(), StoreError::unavailable);
    EXPECT_TRUE(c.lease());
}

TEST(DatabaseMutants, RollbackNotStoredKeepsTheReceipt) {
    for (const auto mutant : {none, rollback_not_stored}) {
        Cluster c(without_faults(mutant));
        const auto tx = c.accept(1);
        const auto fence = c.open_a();
        auto mined = first_write(fence, tx);
        mined.transactions[0].receipt = Receipt{};
        const LaneWrite forked{
            .submitter = alice,
            .fence = fence,
            .transactions = {
                {.tx = tx, .expected = {State::allocated}, .to = {State::allocated}, .receipt = RollBackReceipt{}}}};
        EXPECT_EQ(c.run(c.process_a, c.a.write({mined})).value(), Answers{WriteAnswer::applied});
        EXPECT_EQ(c.run(c.process_a, c.a.write({forked})).value(), Answers{WriteAnswer::applied});
        EXPECT_EQ(c.truth(c.database.truth().by_id(tx))->receipt.has_value(), mutant != none);
    }
}

TEST(DatabaseMutants, LateCommitAppliesAfterAnOpening) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Cluster c(without_faults(late_commit_after_opening), seed);
        const auto tx = c.accept(1);
        const auto fence = c.open_a();
        c.database.faults() = {.commits_late = 1000};
        EXPECT_FALSE(c.run(c.process_a, c.a.write({first_write(fence, tx)})).has_value());
        c.database.faults() = {};
        if (c.state_of(tx) != State::queued) continue;
        EXPECT_GT(c.open_a().token, fence.token);
        c.world.run_for(1min);
        EXPECT_EQ(c.state_of(tx), State::allocated);
        EXPECT_EQ(c.run(c.process_a, c.a.write({first_write(unowned_fence, tx)})).value(),
                  Answers{WriteAnswer::fenced});
    }
}

}  // namespace
}  // namespace fencepost::sim
