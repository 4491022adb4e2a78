// PostgreSQL databases and clusters for race tests.
#include "race_fixture.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "patient_connection.hpp"
#include "store/migrations.hpp"

namespace fencepost::race {
namespace {

std::string migrate(test::PgCluster& cluster) {
    auto database = cluster.fresh_database();
    for (const auto& migration : store::migrations_of("postgres"))
        cluster.run(database, migration.sql);
    return database;
}

std::string fresh_copy(test::PgCluster& cluster) {
    if (&cluster != &test::PgCluster::shared()) return migrate(cluster);
    static const std::string migrated = migrate(cluster);
    return cluster.fresh_database(migrated);
}

std::unique_ptr<contract::StoreUnderTest> make_shared(const Executor& executor, Clock& clock, Random& random) {
    return std::make_unique<RaceDatabase>(test::PgCluster::shared(), executor, clock, random);
}

std::unique_ptr<contract::StoreUnderTest> make_evicting(const Executor& executor, Clock& clock, Random& random) {
    return std::make_unique<RaceDatabase>(test::PgCluster::shared(), executor, clock, random, evicting_after);
}

// Started before the stores, stopped after them.
struct OwnCluster {
    explicit OwnCluster(test::ClusterOptions options) : own(std::move(options)) {}
    test::PgCluster own;
};

class OwnDatabase : private OwnCluster, public RaceDatabase {
public:
    OwnDatabase(test::ClusterOptions options, const Executor& executor, Clock& clock, Random& random)
        : OwnCluster(std::move(options)),
          RaceDatabase(OwnCluster::own, executor, clock, random) {}
};

std::unique_ptr<contract::StoreUnderTest> make_mortal(const Executor& executor, Clock& clock, Random& random) {
    return std::make_unique<OwnDatabase>(test::ClusterOptions{.fsync = true}, executor, clock, random);
}

// An empty database takes 8 MB.
std::unique_ptr<contract::StoreUnderTest> make_small(const Executor& executor, Clock& clock, Random& random) {
    return std::make_unique<OwnDatabase>(test::ClusterOptions{.small_disk_mb = 16}, executor, clock, random);
}

// A page would be logged in full on its first change after a checkpoint, and checkpoints come at any time.
std::unique_ptr<contract::StoreUnderTest> make_steady(const Executor& executor, Clock& clock, Random& random) {
    test::ClusterOptions options{.settings = {"full_page_writes=off", "checkpoint_timeout=1h"}};
    return std::make_unique<OwnDatabase>(std::move(options), executor, clock, random);
}

}  // namespace

RaceDatabase::RaceDatabase(test::PgCluster& cluster, const Executor& executor, Clock& clock, Random& random,
                           Duration evict_after)
    : cluster_(cluster),
      database_(fresh_copy(cluster)),
      options_{.connection = contract::patient_connection(url()), .evict_after = evict_after},
      a_(executor, clock, random, options_),
      b_(executor, clock, random, options_) {}

contract::NamedStore postgres() { return {"postgres", make_shared}; }
contract::NamedStore evicting_postgres() { return {"evicting_postgres", make_evicting}; }
contract::NamedStore restartable_postgres() { return {"restartable_postgres", make_mortal}; }
contract::NamedStore small_disk_postgres() { return {"small_disk_postgres", make_small}; }
contract::NamedStore steady_postgres() { return {"steady_postgres", make_steady}; }

std::string RaceTest::value(const std::string& sql) { return session().run(sql).at(0).at(0); }

std::string RaceTest::lock_lease_sql(const SubmitterId& submitter) const {
    return fmt::format("SELECT 1 FROM submitter_lease WHERE submitter = '{}' FOR NO KEY UPDATE", submitter.to_string());
}

std::string RaceTest::lock_row_sql(const TxId& tx) const {
    return fmt::format("SELECT 1 FROM managed_tx WHERE tx_id = '{}' FOR NO KEY UPDATE", tx.value().to_string());
}

Task<void> RaceTest::until(std::string condition) {
    // The runner ends a hanging test after 300 s without saying where it was.
    constexpr int most_looks = 24'000;
    auto control = session();
    for (int looks = 0; control.run("SELECT " + condition).at(0).at(0) != "t"; ++looks) {
        if (looks == most_looks) throw std::runtime_error("condition never held: " + condition);
        co_await sleep(10ms);
    }
}

bool RaceTest::are_waiting(std::size_t statements) {
    const auto now = value(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
        "application_name = 'fencepost' AND wait_event_type = 'Lock'");
    return std::stoull(now) >= statements;
}

Task<void> RaceTest::until_waiting(std::size_t statements) {
    while (!are_waiting(statements))
        co_await sleep(10ms);
}

Task<void> RaceTest::shorten(Fence fence) {
    EXPECT_EQ((co_await store().renew(one(LeaseClaim{submitter_, fence}), 3s)).value().at(0), LeaseResult::renewed);
}

Task<void> RaceTest::until_lapsed() {
    return until(fmt::format("expires_at < clock_timestamp() FROM submitter_lease WHERE submitter = '{}'",
                             submitter_.to_string()));
}

Session RaceTest::holding_lease(const SubmitterId& submitter) {
    auto holder = session();
    holder.run("BEGIN");
    holder.run(lock_lease_sql(submitter));
    return holder;
}

SubmitterId RaceTest::numbered(std::size_t n) const {
    return SubmitterId::parse(fmt::format("eip155:1:0x{:040x}", n + 1)).value();
}

Task<std::vector<LaneWrite>> RaceTest::lanes(std::size_t n) {
    std::vector<NewIntent> intents;
    intents.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        intents.push_back(intent(numbered(i), "first"));
    EXPECT_TRUE((co_await store().accept(intents)).has_value());
    std::vector<LaneWrite> writes;
    for (const auto& accepted : intents) {
        const auto opened = (co_await store().open(accepted.submitter, node_a_, 30s)).value();
        writes.push_back(allocation(opened.fence.value(), accepted.id, 0));
        writes.back().submitter = accepted.submitter;
    }
    co_return writes;
}

std::vector<LeaseClaim> RaceTest::claims_of(const std::vector<LaneWrite>& writes) {
    std::vector<LeaseClaim> claims;
    claims.reserve(writes.size());
    for (const auto& write : writes)
        claims.push_back({write.submitter, write.fence});
    return claims;
}

void RaceTest::expect_no_deadlock() {
    EXPECT_EQ(value("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"), "0");
}

}  // namespace fencepost::race
