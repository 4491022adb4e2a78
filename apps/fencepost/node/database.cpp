#include "node/database.hpp"

#include <filesystem>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/startup_error.hpp"
#include "store/local_wakeups.hpp"
#include "store/migrations.hpp"
#include "store/postgres/connection/pg_migrate.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/postgres_wakeups.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace fencepost::node {
namespace {

class PostgresDatabase final : public Database {
public:
    PostgresDatabase(store::PostgresOptions options, const Executor& executor, Clock& clock, Random& random, Log& log)
        : options_(std::move(options)),
          executor_(executor),
          wakeups_(executor, clock, random, log, {.connection = options_.connection}) {
        refuse_other_schema();
    }

    std::shared_ptr<Store> store_for(const Executor& executor, Clock& clock, Random& random) override {
        return std::make_shared<store::PostgresStore>(executor, clock, random, options_);
    }
    Wakeups& wakeups() override { return wakeups_; }
    Task<void> run() override { return wakeups_.run(); }
    Task<Status<std::string>> check_schema() override {
        return store::pg::check_schema(executor_, options_.connection, store::migrations_of("postgres"));
    }

private:
    // Runs at start on its own context, because no other one is running yet.
    void refuse_other_schema() const {
        asio::io_context context(1);
        Status<std::string> found;
        asio::co_spawn(
            context,
            store::pg::check_schema(context.get_executor(), options_.connection, store::migrations_of("postgres")),
            [&found](const std::exception_ptr& error, Status<std::string> answer) {
                if (error) std::rethrow_exception(error);
                found = std::move(answer);
            });
        context.run();
        if (!found) throw StartupError(found.error());
    }

    store::PostgresOptions options_;
    Executor executor_;
    store::PostgresWakeups wakeups_;
};

/// A SQLite file has one writer: all threads share one store, which works on its own thread.
class SqliteDatabase final : public Database {
public:
    SqliteDatabase(const config::Database& options, const Executor& executor, const Clock& clock) : wakeups_(executor) {
        make_folder(options.name.place);
        auto opened = store::SqliteStore::open({.path = options.name.place,
                                                .now = [&clock] { return clock.unix_now(); },
                                                .busy_timeout = options.sqlite_busy_timeout});
        if (!opened) throw StartupError(opened.error());
        store_ = *std::move(opened);
    }

    std::shared_ptr<Store> store_for(const Executor& /*executor*/, Clock& /*clock*/, Random& /*random*/) override {
        return store_;
    }
    Wakeups& wakeups() override { return wakeups_; }
    Task<void> run() override { co_return; }
    /// The file was migrated when it was opened, and no other process uses it.
    Task<Status<std::string>> check_schema() override { co_return Status<std::string>(); }

private:
    // Creates only the default folder: an explicit path may be mistyped.
    static void make_folder(const std::string& place) {
        std::error_code ignored;  // opening the file reports the error
        if (place != config::DatabaseName{}.place) return;
        std::filesystem::create_directories(std::filesystem::path(place).parent_path(), ignored);
    }

    store::LocalWakeups wakeups_;
    std::shared_ptr<Store> store_;
};

}  // namespace

std::unique_ptr<Database> open_database(const config::Database& options, const Executor& executor, Clock& clock,
                                        Random& random, Log& log) {
    switch (options.name.kind) {
        case config::DatabaseName::Kind::postgres:
            return std::make_unique<PostgresDatabase>(options.postgres, executor, clock, random, log);
        case config::DatabaseName::Kind::sqlite:
            return std::make_unique<SqliteDatabase>(options, executor, clock);
    }
    std::unreachable();
}

}  // namespace fencepost::node
