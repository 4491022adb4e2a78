// The throughput of the stores, and how far PostgreSQL is from plain SQL. Everything is measured in one run, and what
// is compared is measured alternately, because the machine's speed changes from minute to minute.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "lifecycle_load.hpp"
#include "plain_sql_load.hpp"
#include "reservation.hpp"
#include "store/postgres/connection/pg_migrate.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "support/pg_cluster.hpp"
#include "system/system_clock.hpp"
#include "system/system_random.hpp"

namespace fencepost::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::size_t, 4> batch_sizes{1, 10, 100, 1000};
constexpr std::size_t comparison_batch = 500;
constexpr std::size_t rounds = 15;
constexpr Duration per_cell = 2s;
constexpr Duration per_turn = 600ms;

double per_second(std::size_t count, Duration time) {
    return static_cast<double>(count) / std::chrono::duration<double>(time).count();
}
double transactions_per_second(const PhaseTimes& times) { return per_second(times.transactions, times.whole()); }

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.at(values.size() / 2);
}

// Large enough that no checkpoint hits only one of the compared runs.
test::ClusterOptions durable() {
    return {.fsync = true, .settings = {"shared_buffers=512MB", "max_wal_size=8GB", "checkpoint_timeout=30min"}};
}

struct Bench {
    SystemClock clock;
    SystemRandom random;
    asio::io_context context{1};
    test::PgCluster cluster{durable()};

    [[nodiscard]] Executor executor() { return context.get_executor(); }
};

Task<store::pg::ConnectionOptions> migrated_database(Bench* bench) {
    const store::pg::ConnectionOptions options{.url = bench->cluster.url(bench->cluster.fresh_database())};
    const auto migrated = co_await store::pg::migrate(bench->executor(), options, store::migrations_of("postgres"));
    if (!migrated) throw std::runtime_error(migrated.error());
    co_return options;
}

void print_row(const std::string& store, std::size_t batch, std::string_view what, std::size_t rows,
               std::size_t commits, Duration time) {
    fmt::print("{:<10} {:>5}  {:<17} {:>9.0f} {:>9.0f}\n", store, batch, what, per_second(rows, time),
               per_second(commits, time));
}

void print(const std::string& store, std::size_t batch, const PhaseTimes& times) {
    print_row(store, batch, "accept", times.transactions, times.batches, times.accept);
    print_row(store, batch, "allocate+attempt", times.transactions, times.batches, times.allocate);
    print_row(store, batch, "settle", 2 * times.transactions, 2 * times.batches,
              times.settle);  // mined, then confirmed
    print_row(store, batch, "life cycle", times.transactions, 4 * times.batches, times.whole());
    std::fflush(stdout);
}

/// Measures every batch size on one store; returns transactions per second for each.
Task<std::vector<double>> run_every_batch_size(std::string name, LifecycleLoad* load) {
    std::vector<double> transactions;
    for (const auto batch : batch_sizes) {
        const auto times = co_await load->run(batch, per_cell, EventMode::events);
        print(name, batch, times);
        transactions.push_back(transactions_per_second(times));
    }
    co_return transactions;
}

/// One side of the comparison: its rate in each round, and its total.
struct Series {
    std::string name;
    PhaseTimes all{};
    std::vector<double> transactions{};

    void add(const PhaseTimes& times) {
        transactions.push_back(transactions_per_second(times));
        all += times;
    }
};

struct Compared {
    Series ours{"postgres"};
    Series ours_without_events{"no events"};
    Series plain{"plain SQL"};
    Series plain_with_events{"and events"};
};

/// The median of the ratios per round: a slow minute affects both sides and cancels out.
double over(const Series& one, const Series& other) {
    std::vector<double> ratios;
    ratios.reserve(one.transactions.size());
    for (std::size_t i = 0; i < one.transactions.size(); ++i)
        ratios.push_back(one.transactions[i] / other.transactions.at(i));
    return median(std::move(ratios));
}

/// In short alternating runs, so that a slow minute affects all of them.
Task<Compared> compare_with_plain_sql(Bench* bench) {
    const auto ours = co_await migrated_database(bench);
    const auto plain = co_await migrated_database(bench);
    store::PostgresStore store(bench->executor(), bench->clock, bench->random, {.connection = ours, .connections = 1});
    LifecycleLoad load(store, bench->clock, bench->random);
    co_await load.open_lanes();
    auto connection = co_await store::pg::Connection::connect(bench->executor(), plain);
    if (!connection) throw std::runtime_error(connection.error().what);
    PlainSqlLoad ceiling(**connection, bench->clock, bench->random);

    Compared compared;
    for (std::size_t round = 0; round < rounds; ++round) {
        compared.ours.add(co_await load.run(comparison_batch, per_turn, EventMode::events));
        compared.plain.add(co_await ceiling.run(comparison_batch, per_turn, EventMode::nothing));
        compared.ours_without_events.add(co_await load.run(comparison_batch, per_turn, EventMode::nothing));
        compared.plain_with_events.add(co_await ceiling.run(comparison_batch, per_turn, EventMode::events));
    }
    for (const auto* one :
         {&compared.ours, &compared.ours_without_events, &compared.plain, &compared.plain_with_events})
        print(one->name, comparison_batch, one->all);
    co_return compared;
}

Task<std::vector<double>> measure_postgres(Bench* bench) {
    const auto options = co_await migrated_database(bench);
    store::PostgresStore store(bench->executor(), bench->clock, bench->random, {.connection = options});
    LifecycleLoad load(store, bench->clock, bench->random);
    co_await load.open_lanes();
    co_return co_await run_every_batch_size("postgres", &load);
}

/// On the same disk as PostgreSQL, in the cluster's temporary folder.
Task<std::vector<double>> measure_sqlite(Bench* bench) {
    SystemClock clock;  // for the store's own thread
    auto store = store::SqliteStore::open(
        {.path = (bench->cluster.folder() / "fencepost.db").string(), .now = [&clock] { return clock.unix_now(); }});
    if (!store) throw std::runtime_error(store.error());
    LifecycleLoad load(**store, bench->clock, bench->random);
    co_await load.open_lanes();
    co_return co_await run_every_batch_size("sqlite", &load);
}

/// In milliseconds.
Task<double> measure_reservation(Bench* bench) {
    const auto database = bench->cluster.fresh_database();
    const store::pg::ConnectionOptions options{.url = bench->cluster.url(database)};
    const auto migrated = co_await store::pg::migrate(bench->executor(), options, store::migrations_of("postgres"));
    if (!migrated) throw std::runtime_error(migrated.error());
    bench->cluster.run(database, used_nonces_sql());
    store::PostgresStore store(bench->executor(), bench->clock, bench->random, {.connection = options});
    const auto time = co_await measure_reservations(&store, &bench->clock);
    const auto ms = std::chrono::duration<double, std::milli>(time).count();
    fmt::print("\nReserving a nonce of a shared key after {} used ones: {:.2f} ms (PostgreSQL, median)\n", used_before,
               ms);
    co_return ms;
}

Task<void> measure(Bench* bench) {
    fmt::print("{:<10} {:>5}  {:<17} {:>9} {:>9}\n", "store", "batch", "what", "rows/s", "commits/s");
    const auto postgres = co_await measure_postgres(bench);
    const auto sqlite = co_await measure_sqlite(bench);
    const auto compared = co_await compare_with_plain_sql(bench);
    const auto reservation = co_await measure_reservation(bench);
    const auto life = median(compared.ours.transactions);
    const auto of_plain = over(compared.ours, compared.plain);
    const auto of_plain_with_events = over(compared.ours, compared.plain_with_events);
    fmt::print(
        "\nFull life cycle on PostgreSQL in batches of {}, medians of {} rounds: {:.0f}/s, {:.0f} % of plain "
        "SQL, {:.0f} % of plain SQL that also writes the outbox.\n",
        comparison_batch, rounds, life, 100 * of_plain, 100 * of_plain_with_events);
    fmt::print(R"({{"life_pg": {:.0f}, "ceiling_pg": {:.0f}, "ceiling_pg_with_events": {:.0f}, )"
               R"("life_pg_without_events": {:.0f}, "life_over_ceiling": {:.2f}, )"
               R"("life_over_ceiling_with_events": {:.2f}, "life_sqlite": {:.0f}, "batched_over_unbatched": {:.1f}, )"
               R"("reservation_after_million_ms": {:.2f}}})"
               "\n",
               life, median(compared.plain.transactions), median(compared.plain_with_events.transactions),
               median(compared.ours_without_events.transactions), of_plain, of_plain_with_events,
               std::ranges::max(sqlite), life / postgres.front(), reservation);
}

int run() {
    try {
        Bench bench;
        asio::co_spawn(bench.context, measure(&bench), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        bench.context.run();
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "store_bench: {}\n", error.what());
        return 1;
    }
}

}  // namespace
}  // namespace fencepost::bench

int main() { return fencepost::bench::run(); }
