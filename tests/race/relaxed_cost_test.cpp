// The cost of a reservation in relaxed mode does not grow with the number of used nonces, because it holds the lease
// row.
#include <array>
#include <list>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "race_fixture.hpp"
#include "store/postgres/relaxed_statements.hpp"

namespace fencepost::race {
namespace {

using store::pg::Connection;
using store::pg::Query;
using store::pg::Statement;

struct Planned {
    const Statement* statement;
    const char* values;
};
// Every statement of a reservation except lookups by full key and the search for gaps.
constexpr std::array<Planned, 4> planned{{
    {&store::statement::recycle_overdue, "'s', 5, 'lane'"},
    {&store::statement::retire_consumed, "'s', 5, 7"},
    {&store::statement::smallest_recyclable, "'s', 5"},
    {&store::statement::find_lowest_recyclable, "'s', 5, 'lane'"},
}};

class RelaxedCost : public RaceTest {
protected:
    void fill(int used) {
        session().run(fmt::format(R"sql(
            INSERT INTO submitter_nonce_allocation
                (submitter, nonce, status, lock_owner, locked_until, tx_hash, fencing_token)
            SELECT '{}', n, 'USED', 'lane', clock_timestamp(), decode(md5(n::text), 'hex'), 1
            FROM generate_series(0, {} - 1) n)sql",
                                  submitter_.to_string(), used));
    }

    /// A prepared statement of the test and its EXPLAIN; both outlive the connection.
    struct Explained {
        std::string name;
        std::string sql;
        Statement explain{};
    };

    static Task<std::string> plan_of(Connection* connection, Planned query, std::string mode, Explained* kept) {
        kept->name = fmt::format("{}_{}", query.statement->name, mode);
        kept->sql = fmt::format("EXPLAIN EXECUTE {}_it ({})", kept->name, query.values);
        kept->explain = {kept->name, kept->sql};
        const auto prepared = co_await connection->run_script(
            fmt::format("SET plan_cache_mode = {}; PREPARE {}_it AS {}", mode, kept->name, query.statement->sql));
        EXPECT_TRUE(prepared) << prepared.error().what;
        const auto rows = co_await connection->run_one({&kept->explain, {}});
        EXPECT_TRUE(rows) << rows.error().what;
        std::string plan;
        for (std::size_t row = 0; rows && row < rows->size(); ++row)
            plan += std::string(rows->text(row, 0)) + "\n";
        co_return plan;
    }

    // On a separate connection, configured like the store's write connections.
    Task<void> live_ones_are_found_by_their_index() {
        std::list<Explained> kept;
        const auto connected = co_await Connection::connect(executor(), {.url = database().url()});
        for (const auto* mode : {"force_custom_plan", "force_generic_plan"}) {
            for (const auto& query : planned) {
                const auto plan = co_await plan_of(connected->get(), query, mode, &kept.emplace_back());
                EXPECT_THAT(plan, testing::HasSubstr("submitter_nonce_allocation_live")) << query.statement->name;
                EXPECT_THAT(plan, testing::Not(testing::HasSubstr("submitter_nonce_allocation_pkey")));
                EXPECT_THAT(plan, testing::Not(testing::HasSubstr("Seq Scan")));
            }
        }
    }
    Task<void> plans() {
        co_await live_ones_are_found_by_their_index();
        session().run("ANALYZE submitter_nonce_allocation");
        co_await live_ones_are_found_by_their_index();
        fill(100'000);
        co_await live_ones_are_found_by_their_index();
        session().run("ANALYZE submitter_nonce_allocation");
        co_await live_ones_are_found_by_their_index();
    }

    std::uint64_t entries_read() {
        return std::stoull(
            value("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes "
                  "WHERE relname = 'submitter_nonce_allocation'"));
    }
    std::uint64_t rows_scanned() {
        return std::stoull(
            value("SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables "
                  "WHERE relname = 'submitter_nonce_allocation'"));
    }

    Task<void> reserved(Fence fence, std::uint64_t chain) {
        const NonceBounds bounds{.pending = Nonce(chain), .next = Nonce(chain)};
        const auto answer = (co_await store().reserve(submitter_, fence, LockOwner("one"), bounds, 60s)).value();
        EXPECT_EQ(answer.answer, WriteAnswer::applied);
    }

    // Repeated until PostgreSQL keeps one plan. A backend reports its statistics with its next statement, once a
    // second.
    Task<void> few_are_read() {
        static constexpr std::uint64_t used = 100'000;
        static constexpr std::uint64_t reservations = 20;
        fill(used);
        const auto fence = co_await opened(&store(), node_a_, 120s);
        const auto scanned = rows_scanned();
        for (std::uint64_t i = 0; i < reservations; ++i)
            co_await reserved(fence, used);
        for (int i = 0; i < 15 && entries_read() == 0; ++i) {
            co_await sleep(1100ms);
            co_await reserved(fence, used);
        }
        EXPECT_GE(entries_read(), 1U);
        EXPECT_LE(entries_read(), 5'000U) << "index entries read";
        EXPECT_EQ(rows_scanned(), scanned);
    }
};

INSTANTIATE_TEST_SUITE_P(, RelaxedCost, testing::Values(postgres()), [](const auto&) { return "postgres"; });

TEST_P(RelaxedCost, Failure43PlansUseTheIndexOfLiveNonces) { run(plans()); }
TEST_P(RelaxedCost, Failure43ReservationReadsNoUsedNonces) { run(few_are_read()); }

}  // namespace
}  // namespace fencepost::race
