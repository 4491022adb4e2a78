// The cost in PostgreSQL of a transaction that is mined without trouble: row versions, how many of them are HOT, and
// bytes of write-ahead log. A new column, index or write shows its cost per transaction here.
#include <array>
#include <map>

#include <fmt/format.h>

#include "race_fixture.hpp"

namespace fencepost::race {
namespace {

/// Row versions of one table: inserted, updated, HOT among those, deleted.
using Versions = std::array<std::uint64_t, 4>;
using Tables = std::map<std::string, Versions>;

constexpr std::size_t batch_size = 100;
constexpr std::size_t signed_transfer = 115;  // bytes

// Five runs of 1,000 transactions on PostgreSQL 15 gave 7,008 bytes of log per transaction, in every run.
constexpr double measured_log_bytes = 7'008;
constexpr double allowed_log_bytes = 1.10 * measured_log_bytes;

class WriteCost : public RaceTest {
protected:
    using Step = TxUpdate (*)(std::uint64_t nonce);

    static TxProgress progress(TxFacts facts) {
        constexpr Instant now(100s);
        facts.resend_due = now + 60s;
        facts.bump_due = now + 60s;
        facts.stuck_due = now + 1h;
        return progress_of(facts, now, UnixTime(1'763'500'000'123ms));
    }

    // The five updates that src/lane writes: allocate.cpp, broadcast.cpp, track.cpp and settle.cpp.
    static TxUpdate allocated(std::uint64_t nonce) {
        TxUpdate update{.expected = queued,
                        .to = allocated_position,
                        .nonce = Nonce(nonce),
                        .attempts = {attempt(nonce)},
                        .next_action_in = 60s,
                        .history = {{HistoryKind::allocated, fmt::format("nonce {}", nonce)}}};
        update.attempts.front().raw = Bytes(signed_transfer, 7);
        return update;
    }
    static TxUpdate sent(std::uint64_t nonce) {
        return {.expected = allocated_position,
                .to = tracking,
                .sends = 1,
                .next_action_in = 60s,
                .progress = progress({.first_sent = Instant(100s), .was_held = true, .tries = 1}),
                .error = "",
                .events = {TxSubmitted{attempt(nonce).hash}},
                .history = {{HistoryKind::broadcast, "first: accepted; second: already_known"}}};
    }
    static TxUpdate included(std::uint64_t nonce) {
        return {.expected = tracking,
                .to = mined,
                .receipt = receipt_of(attempt(nonce), 7),
                .events = {TxReceiptUpdated{BlockNumber(7), true}},
                .history = {{HistoryKind::mined, "block 7, succeeded"}}};
    }
    static TxUpdate settled(std::uint64_t /*nonce*/) {
        const std::vector<BlockRef> blocks{
            {BlockNumber(8), {}, {}}, {BlockNumber(9), {}, {}}, {BlockNumber(10), {}, {}}};
        return {.expected = mined,
                .to = confirmed,
                .confirmations = blocks,
                .error = "",
                .events = {TxConfirmed{blocks, false}},
                .history = {{HistoryKind::confirmed, ""}}};
    }

    LaneWrite stepping(const Fence& fence, const std::vector<TxId>& ids, std::uint64_t first, Step step) {
        LaneWrite batch{.submitter = submitter_, .fence = fence};
        for (auto nonce = first; const auto& id : ids) {
            batch.transactions.push_back(step(nonce++));
            batch.transactions.back().tx = id;
        }
        return batch;
    }
    LaneWrite allocating(const Fence& fence, const std::vector<TxId>& ids, std::uint64_t first) {
        auto batch = stepping(fence, ids, first, allocated);
        batch.cursor = CursorMove{first == 0 ? std::nullopt : std::optional(Nonce(first)), Nonce(first + ids.size())};
        return batch;
    }
    LaneWrite watching(const Fence& fence, std::uint64_t from) {
        LaneWrite batch{.submitter = submitter_, .fence = fence};
        batch.watch_from = Nonce(from);
        return batch;
    }

    Task<void> live(Fence fence, std::uint64_t first) {
        const auto ids = co_await accepted(batch_size);
        EXPECT_EQ(co_await write(&store(), allocating(fence, ids, first)), WriteAnswer::applied);
        for (const Step step : {sent, included, settled})
            EXPECT_EQ(co_await write(&store(), stepping(fence, ids, first, step)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), watching(fence, first + batch_size)), WriteAnswer::applied);
    }

    std::uint64_t log_position() { return std::stoull(value("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")); }

    Tables tables() {
        Tables found;
        for (const auto& row : session().run(R"sql(
                SELECT relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del
                FROM pg_stat_user_tables
                WHERE n_tup_ins + n_tup_upd + n_tup_del > 0)sql")) {
            found[row.at(0)] = {std::stoull(row.at(1)), std::stoull(row.at(2)), std::stoull(row.at(3)),
                                std::stoull(row.at(4))};
        }
        return found;
    }

    // One row version per change, contained in no index, and none for an unchanged value.
    Task<void> change_window(Fence fence) {
        for (const std::uint32_t size : {32U, 64U, 64U, 16U}) {
            LaneWrite change{.submitter = submitter_, .fence = fence};
            change.window = WindowState{size, WindowLimit::pool_full};
            EXPECT_EQ(co_await write(&store(), change), WriteAnswer::applied);
        }
    }

    // For this many transactions in this many batches. Writes done once per batch are few.
    static Tables expected(std::uint64_t lives, std::uint64_t batches) {
        const auto cursors = 2 * batches - 1 + 3;  // the window changed three times
        return {
            {"managed_tx", {lives, 4 * lives, 3 * lives, 0}},  // the one that settles moves between indexes
            {"tx_intent", {lives, 0, 0, 0}},
            {"nonce_assignment", {lives, 0, 0, 0}},
            {"tx_attempt", {lives, 0, 0, 0}},
            {"tx_event", {8 * lives, 0, 0, 0}},  // four events, four history steps
            {"submitter_nonce_cursor", {1, cursors, cursors, 0}},
            {"submitter_tally", {1, batches - 1, batches - 1, 0}},
            {"settled_block", {batches, 0, 0, batches}},
            {"submitter_lease", {1, 0, 0, 0}},
        };
    }

    // A backend reports its statistics with its next statement, once a second.
    Task<Tables> counted(Tables wanted) {
        auto found = tables();
        for (int i = 0; i < 15 && found != wanted; ++i) {
            co_await sleep(1100ms);
            std::ignore = co_await store().head_of_queue(submitter_, {}, 1);
            found = tables();
        }
        co_return found;
    }

    // The first transactions are not measured: a new database logs some things once.
    Task<void> lives_without_trouble() {
        static constexpr std::uint64_t first = 500;
        static constexpr std::uint64_t lives = 1'000;
        const auto fence = co_await opened(&store(), node_a_, 1h);
        for (std::uint64_t nonce = 0; nonce < first; nonce += batch_size)
            co_await live(fence, nonce);
        const auto before = log_position();
        for (std::uint64_t nonce = first; nonce < first + lives; nonce += batch_size)
            co_await live(fence, nonce);
        const auto log_bytes = static_cast<double>(log_position() - before) / lives;
        RecordProperty("log_bytes", fmt::format("{:.0f}", log_bytes));
        fmt::print("a transaction without trouble: {:.0f} bytes of log\n", log_bytes);
        EXPECT_LE(log_bytes, allowed_log_bytes);

        co_await change_window(fence);
        const auto wanted = expected(first + lives, (first + lives) / batch_size);
        EXPECT_EQ(co_await counted(wanted), wanted) << "inserted, updated, HOT, deleted";
    }
};

INSTANTIATE_TEST_SUITE_P(, WriteCost, testing::Values(steady_postgres()), [](const auto&) { return "postgres"; });

TEST_P(WriteCost, UndisturbedTransactionWritesNoMoreThanMeasured) { run(lives_without_trouble()); }

}  // namespace
}  // namespace fencepost::race
