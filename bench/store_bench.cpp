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

#include "life.hpp"
#include "plain_life.hpp"
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
constexpr std::size_t compared_batch = 500;
constexpr std::size_t rounds = 15;
constexpr Duration per_cell = 2s;
constexpr Duration per_turn = 600ms;

double per_second(std::size_t count, Duration time) {
    return static_cast<double>(count) / std::chrono::duration<double>(time).count();
}
double lives_per_second(const Laps& laps) { return per_second(laps.lives, laps.whole()); }

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

void print(const std::string& store, std::size_t batch, const Laps& laps) {
    print_row(store, batch, "accept", laps.lives, laps.batches, laps.accept);
    print_row(store, batch, "allocate+attempt", laps.lives, laps.batches, laps.allocate);
    print_row(store, batch, "settle", 2 * laps.lives, 2 * laps.batches, laps.settle);  // mined, then confirmed
    print_row(store, batch, "life cycle", laps.lives, 4 * laps.batches, laps.whole());
    std::fflush(stdout);
}

/// Measures every batch size on one store; returns transactions per second for each.
Task<std::vector<double>> every_batch_size(std::string name, LifeLoad* load) {
    std::vector<double> lives;
    for (const auto batch : batch_sizes) {
        const auto laps = co_await load->run(batch, per_cell, Telling::events);
        print(name, batch, laps);
        lives.push_back(lives_per_second(laps));
    }
    co_return lives;
}

/// One side of the comparison: its rate in each round, and its total.
struct Competitor {
    std::string name;
    Laps all{};
    std::vector<double> lives{};

    void add(const Laps& laps) {
        lives.push_back(lives_per_second(laps));
        all += laps;
    }
};

struct Compared {
    Competitor ours{"postgres"};
    Competitor ours_silent{"no events"};
    Competitor plain{"plain SQL"};
    Competitor plain_telling{"and events"};
};

/// The median of the ratios per round: a slow minute affects both sides and cancels out.
double over(const Competitor& one, const Competitor& other) {
    std::vector<double> ratios;
    ratios.reserve(one.lives.size());
    for (std::size_t i = 0; i < one.lives.size(); ++i)
        ratios.push_back(one.lives[i] / other.lives.at(i));
    return median(std::move(ratios));
}

/// In short alternating runs, so that a slow minute affects all of them.
Task<Compared> against_the_ceiling(Bench* bench) {
    const auto ours = co_await migrated_database(bench);
    const auto plain = co_await migrated_database(bench);
    store::PostgresStore store(bench->executor(), bench->clock, bench->random, {.connection = ours, .connections = 1});
    LifeLoad load(store, bench->clock, bench->random);
    co_await load.open_lanes();
    auto connection = co_await store::pg::Connection::connect(bench->executor(), plain);
    if (!connection) throw std::runtime_error(connection.error().what);
    PlainLife ceiling(**connection, bench->clock, bench->random);

    Compared compared;
    for (std::size_t round = 0; round < rounds; ++round) {
        compared.ours.add(co_await load.run(compared_batch, per_turn, Telling::events));
        compared.plain.add(co_await ceiling.run(compared_batch, per_turn, Telling::nothing));
        compared.ours_silent.add(co_await load.run(compared_batch, per_turn, Telling::nothing));
        compared.plain_telling.add(co_await ceiling.run(compared_batch, per_turn, Telling::events));
    }
    for (const auto* one : {&compared.ours, &compared.ours_silent, &compared.plain, &compared.plain_telling})
        print(one->name, compared_batch, one->all);
    co_return compared;
}

Task<std::vector<double>> measure_postgres(Bench* bench) {
    const auto options = co_await migrated_database(bench);
    store::PostgresStore store(bench->executor(), bench->clock, bench->random, {.connection = options});
    LifeLoad load(store, bench->clock, bench->random);
    co_await load.open_lanes();
    co_return co_await every_batch_size("postgres", &load);
}

/// On the same disk as PostgreSQL, in the cluster's temporary folder.
Task<std::vector<double>> measure_sqlite(Bench* bench) {
    SystemClock clock;  // for the store's own thread
    auto store = store::SqliteStore::open(
        {.path = (bench->cluster.folder() / "fencepost.db").string(), .now = [&clock] { return clock.unix_now(); }});
    if (!store) throw std::runtime_error(store.error());
    LifeLoad load(**store, bench->clock, bench->random);
    co_await load.open_lanes();
    co_return co_await every_batch_size("sqlite", &load);
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
    const auto compared = co_await against_the_ceiling(bench);
    const auto reservation = co_await measure_reservation(bench);
    const auto life = median(compared.ours.lives);
    const auto of_plain = over(compared.ours, compared.plain);
    const auto of_telling = over(compared.ours, compared.plain_telling);
    fmt::print(
        "\nFull life cycle on PostgreSQL in batches of {}, medians of {} rounds: {:.0f}/s, {:.0f} % of plain "
        "SQL, {:.0f} % of plain SQL that also writes the outbox.\n",
        compared_batch, rounds, life, 100 * of_plain, 100 * of_telling);
    fmt::print(R"({{"life_pg": {:.0f}, "ceiling_pg": {:.0f}, "ceiling_pg_with_events": {:.0f}, )"
               R"("life_pg_without_events": {:.0f}, "life_over_ceiling": {:.2f}, )"
               R"("life_over_ceiling_with_events": {:.2f}, "life_sqlite": {:.0f}, "batched_over_unbatched": {:.1f}, )"
               R"("reservation_after_million_ms": {:.2f}}})"
               "\n",
               life, median(compared.plain.lives), median(compared.plain_telling.lives),
               median(compared.ours_silent.lives), of_plain, of_telling, std::ranges::max(sqlite),
               life / postgres.front(), reservation);
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
