// Store functions that no lane writes through, and nonces of shared keys: each statement once.
#include <gtest/gtest.h>

#include "store/sqlite/test_store.hpp"

namespace fencepost::store::sqlite {
namespace {

using SqliteFacets = StoreTest;

TEST_F(SqliteFacets, AcceptsRequestOnceAndRecognisesIt) {
    auto one = store();
    const auto asked = [](std::uint8_t id, std::string request, std::uint64_t value) {
        Uuid uuid;
        uuid.data[0] = id;
        return NewIntent{TxId(uuid), alice, RequestId(std::move(request)), {.value = Wei(value)}};
    };
    const auto answers = run(one->accept({asked(1, "a", 1), asked(2, "a", 1), asked(3, "a", 2), asked(4, "\xff", 1),
                                          asked(1, "b", 1), asked(5, "c", 1)}))
                             .value();
    std::vector<AcceptKind> kinds;
    for (const auto& answer : answers)
        kinds.push_back(answer.kind);
    using enum AcceptKind;
    EXPECT_EQ(kinds, (std::vector{accepted, same_again, other_body, invalid, same_again, accepted}));
    EXPECT_EQ(answers[1].id, answers[0].id);
    EXPECT_EQ(answers[2].id, answers[0].id);
    EXPECT_EQ(run(one->by_request(alice, RequestId("c"))).value()->id, answers[5].id);
    const auto queue = run(one->head_of_queue(alice, {}, 10)).value();
    ASSERT_EQ(queue.size(), 2U);
    EXPECT_LT(queue[0].sequence, queue[1].sequence);
    EXPECT_EQ(run(one->head_of_queue(alice, queue[1].sequence, 10)).value().size(), 1U);
}

TEST_F(SqliteFacets, FiltersAndPagesLists) {
    auto one = store();
    const auto first = accept(*one, 1);
    (void)accept(*one, 2);
    const auto all = run(one->list({})).value();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].id, first);
    EXPECT_EQ(run(one->list({.submitter = alice, .state = State::queued, .after = all[0].sequence})).value().size(),
              1U);
    EXPECT_TRUE(run(one->list({.state = State::confirmed})).value().empty());
    EXPECT_TRUE(run(one->list({.after = AcceptSequence(~std::uint64_t{0})})).value().empty());
    EXPECT_EQ(run(one->list({.submitter = alice, .limit = 1})).value().size(), 1U);
    EXPECT_EQ(run(one->submitter(alice)).value().counts, (std::map<State, std::uint64_t>{{State::queued, 2}}));
    const auto unfinished = run(one->unfinished_submitters()).value();
    ASSERT_EQ(unfinished.size(), 1U);
    EXPECT_EQ(unfinished[0].submitter, alice);
    EXPECT_FALSE(unfinished[0].held);
}

TEST_F(SqliteFacets, KeepsHeadersUntilPruned) {
    auto one = store();
    const auto chain = ChainRef::evm(1);
    BlockHash other;
    other.data[0] = 1;
    const std::vector<BlockRef> blocks{{BlockNumber(1), {}, {}}, {BlockNumber(2), {}, {}}, {BlockNumber(2), other, {}}};
    ASSERT_TRUE(run(one->record(chain, blocks)));
    ASSERT_TRUE(run(one->record(chain, blocks)));
    const auto everything = [&] { return run(one->between(chain, {}, BlockNumber(~std::uint64_t{0}))).value(); };
    EXPECT_EQ(everything(), blocks);
    EXPECT_TRUE(run(one->between(ChainRef::evm(2), {}, BlockNumber(9))).value().empty());
    ASSERT_TRUE(run(one->prune_below(chain, BlockNumber(2))));
    EXPECT_EQ(everything().size(), 2U);
}

TEST_F(SqliteFacets, NodesLiveByDatabaseTime) {
    auto one = store();
    const auto started = now_.load();
    ASSERT_TRUE(run(one->heartbeat(node, "here:1", {})));
    now_ = started + 5s;
    ASSERT_TRUE(run(one->heartbeat(node, "here:2", {})));
    ASSERT_TRUE(run(one->heartbeat(NodeId("node-2"), "there", {})));
    const auto live = run(one->live(1s)).value();
    ASSERT_EQ(live.size(), 2U);
    EXPECT_EQ(live[0].address, "here:2");
    EXPECT_EQ(live[0].started_at, started);
    ASSERT_TRUE(run(one->leave(NodeId("node-2"))));
    EXPECT_EQ(run(one->live(1s)).value().size(), 1U);
    now_ = now_.load() + 1s + 1us;
    EXPECT_TRUE(run(one->live(1s)).value().empty());
}

TEST_F(SqliteFacets, ForgetsNodeAfterAnHourOfSilence) {
    auto one = store();
    ASSERT_TRUE(run(one->heartbeat(NodeId("crashed"), "there", {})));
    now_ = now_.load() + 1h;
    ASSERT_TRUE(run(one->heartbeat(node, "here", {})));
    EXPECT_EQ(run(one->live(24h)).value().size(), 2U);
    now_ = now_.load() + 1s;
    ASSERT_TRUE(run(one->heartbeat(node, "here", {})));
    EXPECT_EQ(run(one->live(24h)).value().size(), 1U);
}

TEST_F(SqliteFacets, InvalidSubmitterNameHidesNoOther) {
    auto one = store();
    (void)accept(*one, 1);
    raw().run(R"sql(
INSERT INTO submitter_nonce_cursor (submitter, next_nonce, watch_from, fencing_token, updated_at)
VALUES ('nonsense', 2, 1, 1, :now)
)sql",
              now_.load());
    const auto unfinished = run(one->unfinished_submitters());
    ASSERT_TRUE(unfinished.has_value());
    ASSERT_EQ(unfinished->size(), 1U);
    EXPECT_EQ(unfinished->at(0).submitter, alice);
}

TEST_F(SqliteFacets, ReleasedLeaseKeepsToken) {
    auto one = store();
    const auto fence = open(*one);
    ASSERT_TRUE(run(one->release({{alice, Fence{node, FenceToken(9)}}})));
    EXPECT_EQ(run(one->renew({{alice, fence}}, 20s)).value().at(0), LeaseResult::renewed);
    EXPECT_EQ(run(one->submitter(alice)).value().lease->expires_at, now_.load() + 20s);
    EXPECT_EQ(run(one->lease(alice)).value(), run(one->submitter(alice)).value().lease);
    ASSERT_TRUE(run(one->release({{alice, fence}})));
    const auto next = run(one->open(alice, NodeId("node-2"), 10s)).value();
    EXPECT_EQ(next.result, LeaseResult::taken_over);
    EXPECT_EQ(next.fence->token, fence.token.next());
}

TEST_F(SqliteFacets, RecyclesSmallestNonceFirst) {
    auto one = store();
    const auto fence = *run(one->open(alice, node, 1h)).value().fence;
    const LockOwner me("me");
    const auto reserve = [&](std::uint64_t chain) {
        return run(one->reserve(alice, fence, me, {Nonce(chain), Nonce(chain)}, 10s)).value().nonce;
    };
    EXPECT_EQ(reserve(5), Nonce(5));
    EXPECT_EQ(reserve(5), Nonce(6));
    EXPECT_EQ(reserve(5), Nonce(7));
    EXPECT_EQ(run(one->mark_used(alice, fence, LockOwner("you"), Nonce(5), hash(1))).value(), WriteAnswer::conflict);
    EXPECT_EQ(run(one->mark_used(alice, fence, me, Nonce(7), hash(1))).value(), WriteAnswer::applied);
    EXPECT_EQ(run(one->mark_used(alice, fence, me, Nonce(7), hash(1))).value(), WriteAnswer::conflict);
    EXPECT_EQ(run(one->mark_recyclable(alice, fence, me, Nonce(6), "refused")).value(), WriteAnswer::applied);
    EXPECT_EQ(reserve(5), Nonce(6));
    now_ = now_.load() + 10s;  // 5 and 6 are overdue; 5 is below the chain's count by now
    EXPECT_EQ(reserve(6), Nonce(6));
    EXPECT_EQ(reserve(6), Nonce(8));
    EXPECT_EQ(reserve(20), Nonce(20));
    const auto counts = run(one->allocations(alice)).value();
    EXPECT_EQ(counts.reserved, 3U);
    EXPECT_EQ(counts.used, 1U);
    EXPECT_EQ(counts.recyclable, 1U) << "5 may become free again: the chain's count is not final";
    const Fence stale{node, FenceToken(99)};
    EXPECT_EQ(run(one->reserve(alice, stale, me, {}, 1s)).value().answer, WriteAnswer::fenced);
    EXPECT_EQ(run(one->mark_in_flight(alice, stale, me, Nonce(8), hash(1))).value(), WriteAnswer::fenced);
    EXPECT_EQ(run(one->mark_used(alice, stale, me, Nonce(8), hash(1))).value(), WriteAnswer::fenced);
    EXPECT_EQ(run(one->align(alice, stale, Nonce(30))).value().answer, WriteAnswer::fenced);
    EXPECT_EQ(run(one->mark_recyclable(alice, stale, me, Nonce(8), "")).value(), WriteAnswer::fenced);
}

}  // namespace
}  // namespace fencepost::store::sqlite
