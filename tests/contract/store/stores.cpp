// The stores that the contract suite runs against.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "patient_connection.hpp"
#include "store/migrations.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store_fixture.hpp"
#include "support/pg_cluster.hpp"

namespace fencepost::contract {
namespace {

// A migrated database to copy: migrating for every test would take longer than the tests.
const std::string& migrated_template() {
    static const std::string name = [] {
        auto& cluster = test::PgCluster::shared();
        auto database = cluster.fresh_database();
        for (const auto& migration : store::migrations_of("postgres"))
            cluster.run(database, migration.sql);
        return database;
    }();
    return name;
}

class PostgresUnderTest : public StoreUnderTest {
public:
    PostgresUnderTest(const Executor& executor, Clock& clock, Random& random)
        : options_{.connection = patient_connection(fresh_url()), .connections = 8},
          a_(executor, clock, random, options_),
          b_(executor, clock, random, options_) {}

    Store& a() override { return a_; }
    Store& b() override { return b_; }

private:
    static std::string fresh_url() {
        auto& cluster = test::PgCluster::shared();
        return cluster.url(cluster.fresh_database(migrated_template()));
    }

    store::PostgresOptions options_;
    store::PostgresStore a_;
    store::PostgresStore b_;
};

std::unique_ptr<StoreUnderTest> make_postgres(const Executor& executor, Clock& clock, Random& random) {
    return std::make_unique<PostgresUnderTest>(executor, clock, random);
}

// One file, one node: both connections are the same store.
class SqliteUnderTest : public StoreUnderTest {
public:
    SqliteUnderTest(Clock& clock, store::Execution execution)
        : folder_(make_folder()),
          store_(store::SqliteStore::open({.path = (folder_ / "fencepost.db").string(),
                                           .now = [&clock] { return clock.unix_now(); },
                                           .execution = execution})
                     .value()) {}
    ~SqliteUnderTest() override {
        store_.reset();
        std::filesystem::remove_all(folder_);
    }
    SqliteUnderTest(const SqliteUnderTest&) = delete;
    SqliteUnderTest& operator=(const SqliteUnderTest&) = delete;

    Store& a() override { return *store_; }
    Store& b() override { return *store_; }

private:
    static std::filesystem::path make_folder() {
        auto name = (std::filesystem::temp_directory_path() / "fencepost-contract-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
        return name;
    }

    std::filesystem::path folder_;
    std::unique_ptr<store::SqliteStore> store_;
};

std::unique_ptr<StoreUnderTest> make_sqlite(const Executor& /*executor*/, Clock& clock, Random& /*random*/) {
    return std::make_unique<SqliteUnderTest>(clock, store::Execution::threaded);
}
std::unique_ptr<StoreUnderTest> make_sqlite_in_place(const Executor& /*executor*/, Clock& clock, Random& /*random*/) {
    return std::make_unique<SqliteUnderTest>(clock, store::Execution::in_place);
}

}  // namespace

std::vector<NamedStore> all_stores() {
    return {{"postgres", make_postgres}, {"sqlite", make_sqlite}, {"sqlite_in_place", make_sqlite_in_place}};
}

}  // namespace fencepost::contract
