// Promises of the schema: frequent updates are HOT, and a write costs the same on a full table as on a small one, with
// or without ANALYZE.
#include <algorithm>

#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

class TableSize : public RaceTest {
protected:
    using Step = TxUpdate (*)(std::uint64_t nonce);

    static TxUpdate sent(std::uint64_t nonce) {
        return {.expected = allocated_position,
                .to = tracking,
                .sends = 1,
                .next_action_in = 60s,
                .events = {TxSubmitted{attempt(nonce).hash}}};
    }
    static TxUpdate included(std::uint64_t nonce) {
        return {.expected = tracking,
                .to = mined,
                .receipt = receipt_of(attempt(nonce), 7),
                .events = {TxReceiptUpdated{BlockNumber(7), true}}};
    }
    static TxUpdate settled(std::uint64_t /*nonce*/) {
        const std::vector<BlockRef> blocks{{BlockNumber(8), {}, {}}, {BlockNumber(9), {}, {}}};
        return {.expected = mined, .to = confirmed, .confirmations = blocks, .events = {TxConfirmed{blocks, false}}};
    }

    LaneWrite allocating(const Fence& fence, const std::vector<TxId>& ids, std::uint64_t first) {
        LaneWrite batch{.submitter = submitter_, .fence = fence};
        batch.cursor = CursorMove{first == 0 ? std::nullopt : std::optional(Nonce(first)), Nonce(first + ids.size())};
        for (auto nonce = first; const auto& id : ids) {
            batch.transactions.push_back({.tx = id, .expected = queued, .to = allocated_position});
            batch.transactions.back().nonce = Nonce(nonce);
            batch.transactions.back().attempts = {attempt(nonce++)};
        }
        return batch;
    }

    LaneWrite stepping(const Fence& fence, const std::vector<TxId>& ids, std::uint64_t first, Step step) {
        LaneWrite batch{.submitter = submitter_, .fence = fence};
        for (auto nonce = first; const auto& id : ids) {
            batch.transactions.push_back(step(nonce++));
            batch.transactions.back().tx = id;
        }
        return batch;
    }

    /// Full life cycles of n transactions; returns how long the writes took.
    Task<Duration> live(Fence fence, std::uint64_t first, std::size_t n) {
        const auto ids = co_await accepted(n);
        const Stopwatch watch;
        EXPECT_EQ(co_await write(&store(), allocating(fence, ids, first)), WriteAnswer::applied);
        for (const Step step : {sent, included, settled})
            EXPECT_EQ(co_await write(&store(), stepping(fence, ids, first, step)), WriteAnswer::applied);
        co_return watch.elapsed();
    }

    std::uint64_t statistic(const std::string& column, const std::string& table = "managed_tx") {
        return std::stoull(
            value(fmt::format("SELECT {} FROM pg_stat_user_tables WHERE relname = '{}'", column, table)));
    }

    // A backend reports its statistics with its next statement, once a second.
    Task<void> all_counted(std::uint64_t updates) {
        for (int i = 0; i < 15 && statistic("n_tup_upd") < updates; ++i) {
            co_await sleep(1100ms);
            std::ignore = co_await store().head_of_queue(submitter_, {}, 1);
        }
        EXPECT_EQ(statistic("n_tup_upd"), updates);
    }

    // Allocate, send and mine touch no index; settling flips `done`, which a partial index contains.
    Task<void> thousand_lives(std::size_t batch) {
        static constexpr std::size_t lives = 1'000;
        const auto fence = co_await opened(&store(), node_a_);
        for (std::size_t i = 0; i < lives; i += batch)
            std::ignore = co_await live(fence, i, batch);
        co_await all_counted(4 * lives);
        const auto hot = statistic("n_tup_hot_upd");
        RecordProperty("hot_updates", std::to_string(hot));
        EXPECT_GE(hot * 100, 60 * 4 * lives);
        EXPECT_EQ(hot, 3 * lives) << "every update except the one that settles";
    }

    // A node's ability changes with every block: no index may contain it.
    Task<void> heartbeats(std::uint64_t updates) {
        NodeAbility ability;
        for (std::uint64_t i = 0; i <= updates; ++i) {
            ability.chains[ChainRef::evm(1)] = {.ability = {.since = UnixTime(std::chrono::seconds(i))},
                                                .head = BlockNumber(i)};
            EXPECT_TRUE((co_await store().heartbeat(node_a_, "here", ability)).has_value());
        }
        for (int i = 0; i < 15 && statistic("n_tup_upd", "node") < updates; ++i) {
            co_await sleep(1100ms);
            EXPECT_TRUE((co_await store().heartbeat(node_a_, "here", ability)).has_value());
        }
        EXPECT_GE(statistic("n_tup_upd", "node"), updates);
        EXPECT_EQ(statistic("n_tup_hot_upd", "node"), statistic("n_tup_upd", "node"));
    }

    void fill(int rows) {
        session().run(fmt::format(R"sql(
            WITH tx AS (
                INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint, state, nonce, done)
                SELECT gen_random_uuid(), nextval('accept_sequence'), '{0}', n::text, '', 'CONFIRMED', n + 1000000, true
                FROM generate_series(1, {1}) n
                RETURNING tx_id, submitter, nonce
            ), intent AS (
                INSERT INTO tx_intent SELECT tx_id, '{{"value": "0", "data": "", "speed": "normal"}}' FROM tx
            ), ledger AS (
                INSERT INTO nonce_assignment SELECT submitter, nonce, tx_id FROM tx
            ), event AS (
                INSERT INTO tx_event (tx_id, sequence, kind, body, node) SELECT tx_id, 1, 'x', '{{}}', '' FROM tx
            )
            INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token)
            SELECT tx_id, 0, 'original', nonce, decode(md5(nonce::text), 'hex'), '', '{{}}', 1 FROM tx)sql",
                                  submitter_.to_string(), rows));
    }

    std::uint64_t entries_read() {
        return std::stoull(value("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'managed_tx'"));
    }

    /// Repeats the query until PostgreSQL keeps one plan, and counts the index entries it read. The statistics are
    /// reported with the next statement, once a second.
    template <typename Ask>
    Task<void> reads_at_most(std::uint64_t most, Ask ask) {
        const auto before = entries_read();
        for (int i = 0; i < 20; ++i)
            co_await ask(i);
        auto read = entries_read() - before;
        for (int i = 0; i < 15 && read == 0; ++i) {
            co_await sleep(1100ms);
            co_await ask(0);
            read = entries_read() - before;
        }
        EXPECT_GE(read, 1U);
        EXPECT_LE(read, most) << "index entries read";
    }

    Task<void> listed(TxFilter filter, std::size_t wanted) {
        EXPECT_EQ((co_await store().list(std::move(filter))).value().size(), wanted);
    }

    // Paging through all transactions must not make the database sort them all for each page. Tests the first and a
    // late page, in both orders.
    Task<void> pages_of_all() {
        static constexpr int rows = 20'000;
        static constexpr std::uint64_t page = 50;
        fill(rows);
        for (const auto order : {ListOrder::oldest_first, ListOrder::newest_first}) {
            co_await reads_at_most(50 * page, [this, order](int i) {
                const auto after = i % 2 == 0 ? std::nullopt : std::optional(AcceptSequence(rows / 2));
                return listed({.order = order, .after = after, .limit = page}, page);
            });
        }
    }

    // Listing stuck or failed transactions must not scan all confirmed ones.
    Task<void> pages_of_rare_states() {
        fill(20'000);
        const auto ids = co_await accepted(6);
        const auto fence = co_await opened(&store(), node_a_);
        auto settling = update(fence, {.tx = ids[0], .expected = queued, .to = {State::rejected}});
        settling.transactions.push_back({.tx = ids[1], .expected = queued, .to = {State::rejected}});
        EXPECT_EQ(co_await write(&store(), settling), WriteAnswer::applied);
        co_await few_are_read();
        session().run("ANALYZE");
        co_await few_are_read();
    }
    Task<void> few_are_read() {
        co_await reads_at_most(2'000, [this](int i) {
            return rare_ones_are_listed(i % 2 == 0 ? std::nullopt : std::optional(submitter_));
        });
    }
    Task<void> rare_ones_are_listed(std::optional<SubmitterId> submitter) {
        for (const auto order : {ListOrder::oldest_first, ListOrder::newest_first}) {
            co_await listed({.submitter = submitter, .state = State::queued, .order = order}, 4);
            co_await listed({.submitter = submitter, .state = State::rejected, .order = order}, 2);
            co_await listed({.submitter = submitter, .state = State::stuck, .order = order}, 0);
        }
    }

    Task<void> queue_is_counted(std::uint64_t wanted) {
        EXPECT_EQ((co_await store().submitter(submitter_)).value().counts.at(State::queued), wanted);
    }
    Task<void> view_of_many_settled() {
        fill(20'000);
        std::ignore = co_await accepted(3);
        co_await reads_at_most(1'000, [this](int) { return queue_is_counted(3); });
    }

    /// The shortest of several runs: other load on the machine only adds time.
    Task<Duration> shortest_life(Fence fence, std::uint64_t* nonce) {
        static constexpr std::size_t batch = 500;
        auto shortest = Duration::max();
        for (int i = 0; i < 5; ++i) {
            shortest = std::min(shortest, co_await live(fence, *nonce, batch));
            *nonce += batch;
        }
        co_return shortest;
    }

    Task<void> cost_does_not_grow() {
        const auto tables = "ALTER TABLE {} SET (autovacuum_enabled = false)";
        for (const auto* table : {"managed_tx", "tx_intent", "nonce_assignment", "tx_event", "tx_attempt"})
            session().run(fmt::format(fmt::runtime(tables), table));
        const auto fence = co_await opened(&store(), node_a_, 120s);
        std::uint64_t nonce = 0;
        const auto small = co_await shortest_life(fence, &nonce);
        fill(200'000);
        const auto not_analysed = co_await shortest_life(fence, &nonce);
        session().run("ANALYZE");
        const auto analysed = co_await shortest_life(fence, &nonce);
        EXPECT_LE(not_analysed, 5 * small);
        EXPECT_LE(analysed, 5 * small);
        const auto ms = [](Duration d) { return std::chrono::duration_cast<std::chrono::milliseconds>(d).count(); };
        fmt::print("four writes of 500: {} ms small, {} ms full, {} ms analysed\n", ms(small), ms(not_analysed),
                   ms(analysed));
    }
};

INSTANTIATE_TEST_SUITE_P(, TableSize, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(TableSize, AllButSettlingUpdatesAreHotInBatchesOf100) { run(thousand_lives(100)); }
TEST_P(TableSize, AllButSettlingUpdatesAreHotInBatchesOf1000) { run(thousand_lives(1'000)); }
TEST_P(TableSize, HeartbeatsAreHotWhenAbilityChanges) { run(heartbeats(500)); }
TEST_P(TableSize, PageOfAllTransactionsReadsOnlyItself) { run(pages_of_all()); }
TEST_P(TableSize, PageOfRareStateReadsOnlyItself) { run(pages_of_rare_states()); }
TEST_P(TableSize, SubmitterViewReadsNoSettledTransactions) { run(view_of_many_settled()); }
TEST_P(TableSize, WriteCostIsIndependentOfTableSize) { run(cost_does_not_grow()); }

}  // namespace
}  // namespace fencepost::race
