// fencepost migrate: migrates the configured database to the schema of this program, or prints what is pending.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/startup_error.hpp"
#include "commands.hpp"
#include "configured.hpp"
#include "print_json.hpp"
#include "run_task.hpp"
#include "store/postgres/connection/pg_migrate.hpp"
#include "store/sqlite/engine/migrate_file.hpp"
#include "system/system_clock.hpp"

namespace fencepost {
namespace {

using config::DatabaseName;
using store::Migration;
using Migrations = std::vector<Migration>;

struct MigrateOptions {
    std::shared_ptr<ConfigOptions> config;
    bool dry_run = false;
    bool status = false;
    bool json = false;
};

/// A database that can be migrated. Throws StartupError for what cannot be done.
class Target {
public:
    virtual ~Target() = default;
    [[nodiscard]] virtual Migrations known() const = 0;
    [[nodiscard]] virtual Migrations pending() = 0;
    virtual void migrate(const store::OnApplied& on_applied) = 0;
};

class PostgresTarget : public Target {
public:
    explicit PostgresTarget(store::pg::ConnectionOptions options) : options_(std::move(options)) {}

    [[nodiscard]] Migrations known() const override { return store::migrations_of("postgres"); }
    [[nodiscard]] Migrations pending() override {
        return or_throw(run_task(context_, store::pg::read_pending(context_.get_executor(), options_, known())));
    }
    void migrate(const store::OnApplied& on_applied) override {
        or_throw(run_task(context_, store::pg::migrate(context_.get_executor(), options_, known(), on_applied)));
    }

private:
    asio::io_context context_{1};
    store::pg::ConnectionOptions options_;
};

class SqliteTarget : public Target {
public:
    SqliteTarget(std::string path, std::chrono::milliseconds busy_timeout)
        : path_(std::move(path)),
          busy_timeout_(busy_timeout) {}

    [[nodiscard]] Migrations known() const override { return store::migrations_of("sqlite"); }
    [[nodiscard]] Migrations pending() override { return or_throw(store::pending_in_file(options(), known())); }
    void migrate(const store::OnApplied& on_applied) override {
        make_default_folder();
        or_throw(store::migrate_file(options(), known(), on_applied));
    }

private:
    // Creates only the default folder: an explicit path may be mistyped.
    void make_default_folder() const {
        std::error_code ignored;  // opening the file reports the error
        if (path_ != DatabaseName{}.place) return;
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    }
    [[nodiscard]] store::SqliteOptions options() {
        return {.path = path_, .now = [this] { return clock_.unix_now(); }, .busy_timeout = busy_timeout_};
    }

    SystemClock clock_;
    std::string path_;
    std::chrono::milliseconds busy_timeout_;
};

std::unique_ptr<Target> open_target(const config::Database& database) {
    switch (database.name.kind) {
        case DatabaseName::Kind::postgres:
            return std::make_unique<PostgresTarget>(database.postgres.connection);
        case DatabaseName::Kind::sqlite:
            return std::make_unique<SqliteTarget>(database.name.place, database.sqlite_busy_timeout);
    }
    std::unreachable();
}

void print_status(const Target& target, const Migrations& pending, bool as_json) {
    boost::json::array items;
    for (const auto& migration : target.known()) {
        const bool waits = std::ranges::find(pending, migration.version, &Migration::version) != pending.end();
        const auto* const status = waits ? "pending" : "applied";
        if (!as_json) fmt::print("{} {} {}\n", migration.version, migration.name, status);
        items.push_back(
            boost::json::object{{"version", migration.version}, {"name", migration.name}, {"status", status}});
    }
    if (as_json) print_json_list(std::move(items));
}

void print_plan(const Migrations& pending) {
    for (const auto& migration : pending)
        fmt::print("would apply {}\n", migration.name);
    if (pending.empty()) fmt::print("nothing to do\n");
}

void apply(Target& target) {
    bool any = false;
    target.migrate([&any](const Migration& migration) {
        any = true;
        fmt::print("applied {}\n", migration.name);
        std::fflush(stdout);  // shows completed migrations even if the next one hangs
    });
    if (!any) fmt::print("nothing to do\n");
}

ExitCode migrate(const MigrateOptions& options) {
    const auto loaded = load_or_explain(*options.config);
    if (!loaded) return exit_wrong_usage;
    const auto target = open_target(loaded->config.database);
    if (options.status) {
        print_status(*target, target->pending(), options.json);
    } else if (options.dry_run) {
        print_plan(target->pending());
    } else {
        apply(*target);
    }
    return exit_ok;
}

std::string check_not_empty(const std::string& text) {
    return text.empty() ? "--database is empty: write postgresql://… or the path of a file" : "";
}

}  // namespace

void add_migrate(CLI::App& program, Work& chosen) {
    auto* command = program.add_subcommand("migrate", "Migrate the database to the schema of this program");
    const auto config = add_config_options(*command);
    const auto options = std::make_shared<MigrateOptions>(MigrateOptions{.config = config});
    // An alias of the key database.url, so that --help shows it.
    const auto set_database = [config](const std::string& text) {
        config->arguments.push_back("--database.url=" + text);
    };
    command
        ->add_option_function<std::string>("--database", set_database,
                                           "postgresql://… or a SQLite file, instead of the configured one")
        ->type_name("URL|PATH")
        ->check(CLI::Validator(check_not_empty, ""));
    auto* dry_run = command->add_flag("--dry-run", options->dry_run, "Print the pending migrations and write nothing");
    auto* status =
        command->add_flag("--status", options->status, "Print which migrations are applied and which are pending")
            ->excludes(dry_run);
    command->add_flag("--json", options->json, "Print the status as JSON")->needs(status);
    command->callback([&chosen, command, options] {
        take_arguments(*command, *options->config);
        chosen = [options] { return migrate(*options); };
    });
}

}  // namespace fencepost
