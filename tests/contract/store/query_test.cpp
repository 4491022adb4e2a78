// Queries of the store, and that history neither loses steps nor grows without bound.
#include <algorithm>

#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class QueryContract : public StoreContract {
protected:
    Task<void> found_every_way() {
        const auto one = intent(submitter_, "r1", 5);
        std::vector<NewIntent> batch{one, intent(second_, "r1", 5)};
        EXPECT_TRUE((co_await store().accept(batch)).has_value());
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await write(&store(), allocation(fence, one.id, 0)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = one.id,
                                                          .expected = allocated_position,
                                                          .to = tracking,
                                                          .attempts = {attempt(0, 2, AttemptKind::bump)}})),
                  WriteAnswer::applied);
        EXPECT_EQ((co_await store().by_request(submitter_, RequestId("r1"))).value()->id, one.id);
        EXPECT_EQ((co_await store().by_request(second_, RequestId("r1"))).value()->id, batch[1].id);
        EXPECT_EQ((co_await store().by_request(second_, RequestId("r2"))).value(), std::nullopt);
        EXPECT_EQ((co_await store().by_hash(attempt(0).hash)).value()->id, one.id) << "a replaced attempt";
        EXPECT_EQ((co_await store().by_hash(attempt(0, 2).hash)).value()->id, one.id);
        EXPECT_EQ((co_await store().by_hash(attempt(7).hash)).value(), std::nullopt);
        EXPECT_EQ((co_await store().by_id(intent().id)).value(), std::nullopt);
    }

    Task<void> pages() {
        const auto ids = co_await accepted(25);
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[3], 0)), WriteAnswer::applied);
        std::vector<TxId> listed;
        for (TxFilter filter{.submitter = submitter_, .limit = 10};;) {
            const auto page = (co_await store().list(filter)).value();
            if (page.empty()) break;
            for (const auto& tx : page)
                listed.push_back(tx.id);
            filter.after = page.back().sequence;
        }
        EXPECT_EQ(listed, ids);
        EXPECT_EQ((co_await store().list({.submitter = submitter_, .state = State::allocated})).value().size(), 1U);
        EXPECT_EQ((co_await store().list({.state = State::queued, .limit = 1'000})).value().size(), 24U);
        EXPECT_TRUE((co_await store().list({.submitter = second_})).value().empty());
        const auto view = (co_await store().submitter(submitter_)).value();
        EXPECT_EQ(view.counts, (std::map<State, std::uint64_t>{{State::queued, 24}, {State::allocated, 1}}));
        EXPECT_EQ(co_await unfinished(&store()), std::vector{submitter_});
    }

    /// The ids of a list, read in pages of two.
    Task<std::vector<TxId>> listed(TxFilter filter) {
        std::vector<TxId> ids;
        for (filter.limit = 2;;) {
            const auto page = (co_await other().list(filter)).value();
            for (const auto& tx : page)
                ids.push_back(tx.id);
            if (page.size() < filter.limit) co_return ids;
            filter.after = page.back().sequence;
        }
    }

    // One of every kind of state: without a verdict, confirmed, and the rare verdicts.
    Task<void> lists_by_state() {
        std::vector<TxId> ids;
        std::vector<NewIntent> batch;
        for (int i = 0; i < 12; ++i) {
            batch.push_back(intent(i % 2 == 0 ? submitter_ : second_, fmt::format("r{}", i)));
            ids.push_back(batch.back().id);
        }
        EXPECT_TRUE((co_await store().accept(batch)).has_value());
        const auto fence = co_await opened(&store(), node_a_);
        const auto second_fence = (co_await store().open(second_, node_a_, 30s)).value().fence.value();
        auto settling = update(fence, {.tx = ids[0], .expected = queued, .to = {State::rejected}});
        for (const auto i : {2U, 4U})
            settling.transactions.push_back({.tx = ids[i], .expected = queued, .to = {State::rejected}});
        settling.transactions.push_back({.tx = ids[6], .expected = queued, .to = {State::cancelled}});
        EXPECT_EQ(co_await write(&store(), settling), WriteAnswer::applied);
        auto also = update(second_fence, {.tx = ids[1], .expected = queued, .to = {State::rejected}});
        also.submitter = second_;
        EXPECT_EQ(co_await write(&store(), also), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[8], 0)), WriteAnswer::applied);
        for (const auto& [from, to] : {std::pair(allocated_position, mined), {mined, confirmed}}) {
            EXPECT_EQ(co_await write(&store(), update(fence, {.tx = ids[8], .expected = from, .to = to})),
                      WriteAnswer::applied);
        }

        using Ids = std::vector<TxId>;
        EXPECT_EQ(co_await listed({.state = State::rejected}), (Ids{ids[0], ids[1], ids[2], ids[4]}));
        EXPECT_EQ(co_await listed({.submitter = submitter_, .state = State::rejected}), (Ids{ids[0], ids[2], ids[4]}));
        EXPECT_EQ(co_await listed({.submitter = second_, .state = State::cancelled}), Ids{});
        EXPECT_EQ(co_await listed({.state = State::confirmed}), Ids{ids[8]});
        EXPECT_EQ(co_await listed({.submitter = second_, .state = State::confirmed}), Ids{});
        EXPECT_EQ(co_await listed({.state = State::queued}), (Ids{ids[3], ids[5], ids[7], ids[9], ids[10], ids[11]}));
        EXPECT_EQ(co_await listed({.submitter = submitter_, .state = State::queued}), Ids{ids[10]});
        EXPECT_EQ(co_await listed({.state = State::stuck}), Ids{});
        EXPECT_EQ(co_await listed({}), ids);
        EXPECT_EQ(co_await listed({.order = ListOrder::newest_first}), (Ids{ids.rbegin(), ids.rend()}));
        const auto newest = [&](std::optional<SubmitterId> submitter, State state) {
            return listed({.submitter = std::move(submitter), .state = state, .order = ListOrder::newest_first});
        };
        EXPECT_EQ(co_await newest({}, State::rejected), (Ids{ids[4], ids[2], ids[1], ids[0]}));
        EXPECT_EQ(co_await newest(submitter_, State::rejected), (Ids{ids[4], ids[2], ids[0]}));
        EXPECT_EQ(co_await newest({}, State::confirmed), Ids{ids[8]});
        EXPECT_EQ(co_await newest({}, State::queued), (Ids{ids[11], ids[10], ids[9], ids[7], ids[5], ids[3]}));
        EXPECT_EQ(co_await newest(second_, State::queued), (Ids{ids[11], ids[9], ids[7], ids[5], ids[3]}));
        auto of_one = co_await listed({.submitter = submitter_});
        std::ranges::reverse(of_one);
        EXPECT_EQ(co_await listed({.submitter = submitter_, .order = ListOrder::newest_first}), of_one);
    }

    Task<void> queue_from() {
        const auto ids = co_await accepted(5);
        const auto all = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 3)).value();
        EXPECT_EQ(all.size(), 3U);
        const auto rest = (co_await store().head_of_queue(submitter_, all[2].sequence, 10)).value();
        EXPECT_EQ(rest.size(), 3U);
        EXPECT_EQ(rest.at(0).id, ids[2]);
    }

    Task<void> history_is_folded() {
        const auto fence = co_await opened(&store(), node_a_, 300s);
        const auto tx = co_await allocated(fence);
        const HistoryStep resend{HistoryKind::resubmitted, "endpoint a: already known"};
        TxUpdate step{.tx = tx, .expected = allocated_position, .to = allocated_position, .history = {resend}};
        for (int i = 0; i < 50; ++i)
            EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        step.history.assign(9'950, resend);
        EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        step.history = {{HistoryKind::bumped, "x"}, resend, resend};
        EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        step.history = {resend};
        step.events = {TxSubmitted{attempt(0).hash}};
        EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        step.history.clear();  // an event alone separates the steps before and after it
        EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        step.history = {resend};
        step.events.clear();
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);

        const auto entries = (co_await store().history(tx)).value();
        std::vector<std::pair<HistoryStep, std::uint32_t>> seen;
        for (const auto& entry : entries)
            seen.emplace_back(entry.step, entry.times);
        EXPECT_EQ(seen, (std::vector<std::pair<HistoryStep, std::uint32_t>>{{{HistoryKind::accepted, ""}, 1},
                                                                            {resend, 10'000},
                                                                            {{HistoryKind::bumped, "x"}, 1},
                                                                            {resend, 2},
                                                                            {resend, 1},
                                                                            {resend, 3}}));
        EXPECT_EQ(entries.at(0).token, std::nullopt) << "acceptance needs no fence";
        EXPECT_EQ(entries.at(1).node, node_a_);
        EXPECT_EQ(entries.at(1).token, fence.token);
        EXPECT_GT(entries.at(1).last_at, entries.at(1).first_at);
    }

    Task<void> events_in_order() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        TxUpdate step{.tx = tx, .expected = allocated_position, .to = allocated_position};
        for (int i = 0; i < 20; ++i) {
            step.events = {TxFailed{fmt::format("{}", 2 * i)}, TxFailed{fmt::format("{}", 2 * i + 1)}};
            EXPECT_EQ(co_await write(&store(), update(fence, step)), WriteAnswer::applied);
        }
        EventPosition position;
        std::uint64_t last = 0;
        for (;;) {
            const auto page = (co_await store().read_after(position, 7)).value();
            if (page.empty()) break;
            for (const auto& logged : page) {
                EXPECT_GT(logged.position, position);
                position = logged.position;
                EXPECT_EQ(logged.event.sequence, EventSequence(++last));
            }
        }
        EXPECT_EQ(last, 41U);
    }

    Task<void> commands_in_order() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = (co_await accepted(1)).at(0);
        const auto first = (co_await other().post({.submitter = submitter_,
                                                   .kind = CommandKind::cancel,
                                                   .tx = tx,
                                                   .requested_by = "ops",
                                                   .reason = "wrong amount"}))
                               .value();
        EXPECT_TRUE((co_await other().post({.submitter = submitter_, .kind = CommandKind::pause})).has_value());
        EXPECT_TRUE((co_await other().post({.submitter = second_, .kind = CommandKind::resume})).has_value());
        const auto pending = (co_await store().pending(submitter_)).value();
        EXPECT_EQ(pending.size(), 2U);
        EXPECT_EQ(pending.at(0).kind, CommandKind::cancel);
        EXPECT_EQ(pending.at(0).tx, tx);
        EXPECT_EQ(pending.at(0).requested_by, "ops");
        EXPECT_EQ(pending.at(0).reason, "wrong amount");
        EXPECT_EQ(pending.at(0).queued_at, (co_await store().by_id(tx)).value()->sequence);
        EXPECT_FALSE(pending.at(1).queued_at);
        LaneWrite done{.submitter = submitter_, .fence = fence, .commands_done = {first}};
        done.transactions.push_back({.tx = tx, .expected = queued, .to = {State::cancelled, SubState::none}});
        EXPECT_EQ(co_await write(&store(), std::move(done)), WriteAnswer::applied);
        EXPECT_EQ((co_await store().pending(submitter_)).value().size(), 1U);
        EXPECT_EQ(co_await write(&store(), {.submitter = submitter_, .fence = fence, .commands_done = {first}}),
                  WriteAnswer::conflict)
            << "done once";
        EXPECT_EQ(co_await unfinished(&store()), (std::vector{submitter_, second_}))
            << "a command wakes an otherwise idle lane";
    }

    Task<UnfinishedSubmitter> only_unfinished() {
        const auto found = (co_await other().unfinished_submitters()).value();
        EXPECT_EQ(found.size(), 1U);
        co_return found.at(0);
    }

    Task<void> unfinished_with_lease() {
        EXPECT_EQ((co_await accepted(1)).size(), 1U);
        auto found = co_await only_unfinished();
        EXPECT_FALSE(found.lease.has_value()) << "its lane was never opened";
        EXPECT_FALSE(found.held);
        const auto fence = co_await opened(&store(), node_a_);
        found = co_await only_unfinished();
        EXPECT_TRUE(found.held);
        EXPECT_EQ(found.lease, (co_await store().submitter(submitter_)).value().lease);
        EXPECT_EQ(found.lease.value().owner, node_a_);
        EXPECT_EQ(found.lease.value().token, fence.token);
        std::vector<LeaseClaim> claims{{submitter_, fence}};
        EXPECT_TRUE((co_await store().release(std::move(claims))).has_value());
        found = co_await only_unfinished();
        EXPECT_FALSE(found.held) << "it was released";
        EXPECT_EQ(found.lease.value().owner, node_a_) << "the row stays";
        EXPECT_EQ((co_await opened(&store(), node_b_, 200ms)).token, fence.token.next());
        co_await sleep(250ms);
        found = co_await only_unfinished();
        EXPECT_FALSE(found.held) << "it expired";
        EXPECT_EQ(found.lease.value().owner, node_b_);
    }

    Task<void> headers_are_a_tree() {
        const auto chain = ChainRef::evm(1);
        const auto block = [](std::uint64_t number, std::uint8_t fork) {
            BlockRef ref{.number = BlockNumber(number), .hash = {}, .parent = {}};
            ref.hash.data[0] = static_cast<std::uint8_t>(number);
            ref.hash.data[1] = fork;
            return ref;
        };
        std::vector<BlockRef> blocks{block(3, 1), block(1, 1), block(2, 1), block(2, 2)};
        EXPECT_TRUE((co_await store().record(chain, blocks)).has_value());
        EXPECT_TRUE((co_await other().record(chain, blocks)).has_value()) << "known headers stay unchanged";
        EXPECT_EQ((co_await store().between(chain, BlockNumber(1), BlockNumber(2))).value(),
                  (std::vector{block(1, 1), block(2, 1), block(2, 2)}));
        EXPECT_TRUE((co_await store().between(ChainRef::evm(2), BlockNumber(0), BlockNumber(9))).value().empty());
        EXPECT_TRUE((co_await store().prune_below(chain, BlockNumber(3))).has_value());
        EXPECT_EQ((co_await store().between(chain, BlockNumber(0), BlockNumber(9))).value(), std::vector{block(3, 1)});
    }

    Task<void> nodes_come_and_go() {
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "127.0.0.1:1", {})).has_value());
        co_await sleep(300ms);
        std::vector<NodeInfo> live;
        while (live.empty()) {  // at once, unless the machine pauses between the two
            EXPECT_TRUE((co_await other().heartbeat(node_b_, "127.0.0.1:2", {})).has_value());
            live = (co_await store().live(200ms)).value();
        }
        EXPECT_EQ(live.size(), 1U);
        EXPECT_EQ(live.at(0).id, node_b_);
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "127.0.0.1:3", {})).has_value());
        live = (co_await store().live(10min)).value();
        EXPECT_EQ(live.size(), 2U);
        EXPECT_EQ(live.at(0).address, "127.0.0.1:3");
        EXPECT_LT(live.at(0).started_at, live.at(0).heartbeat_at);
        EXPECT_TRUE((co_await store().leave(node_a_)).has_value());
        EXPECT_EQ((co_await store().live(10min)).value().size(), 1U);
    }

    Task<void> heartbeats_carry_ability() {
        NodeAbility ability;
        ability.chains[ChainRef::evm(1)] = {.ability = {.since = UnixTime(100s)}, .head = BlockNumber(7)};
        ability.chains[ChainRef::evm(2)] = {
            .ability = {.cause = AbilityCause::no_answer, .since = UnixTime(1us), .retry_at = UnixTime(300s)}};
        ability.signers[submitter_] = {.cause = AbilityCause::sign_failed, .since = UnixTime(5s)};
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "127.0.0.1:1", ability)).has_value());
        EXPECT_EQ((co_await other().live(10min)).value().at(0).ability, ability);
        ability.chains.erase(ChainRef::evm(2));
        ability.signers.clear();
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "127.0.0.1:1", ability)).has_value());
        EXPECT_EQ((co_await other().live(10min)).value().at(0).ability, ability) << "the latest heartbeat counts";
        EXPECT_TRUE((co_await store().heartbeat(node_a_, "127.0.0.1:1", {})).has_value());
        EXPECT_EQ((co_await other().live(10min)).value().at(0).ability, NodeAbility{});
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, QueryContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(QueryContract, FindsTransactionByIdRequestAndEveryHash) { run(found_every_way()); }
TEST_P(QueryContract, PagesListsInAcceptanceOrder) { run(pages()); }
TEST_P(QueryContract, PagesListsByState) { run(lists_by_state()); }
TEST_P(QueryContract, ReadsQueueFromLowWaterMark) { run(queue_from()); }
TEST_P(QueryContract, FoldsTenThousandEqualSteps) { run(history_is_folded()); }
TEST_P(QueryContract, NumbersEventsAndReadsThemInOrder) { run(events_in_order()); }
TEST_P(QueryContract, CommandsWaitForLane) { run(commands_in_order()); }
TEST_P(QueryContract, UnfinishedSubmittersIncludeLeaseByDatabaseTime) { run(unfinished_with_lease()); }
TEST_P(QueryContract, HeadersFormSharedTree) { run(headers_are_a_tree()); }
TEST_P(QueryContract, NodesComeAndGoByDatabaseTime) { run(nodes_come_and_go()); }
TEST_P(QueryContract, HeartbeatsCarryNodeAbility) { run(heartbeats_carry_ability()); }

}  // namespace
}  // namespace fencepost::contract
