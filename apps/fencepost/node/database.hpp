// The database that a configuration names, opened: a store for each thread that needs one, and the hints between nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "config/config.hpp"
#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/random.hpp"
#include "ports/store/store.hpp"
#include "ports/wakeups.hpp"

namespace fencepost::node {

/// What an implementation promises: the schema was found to be this program's when it was opened.
class Database {
public:
    virtual ~Database() = default;

    /// For tasks of this executor alone. Clock and random must outlive the store.
    [[nodiscard]] virtual std::shared_ptr<Store> store_for(const Executor& executor, Clock& clock, Random& random) = 0;
    /// Of the executor that the database was opened with.
    [[nodiscard]] virtual Wakeups& wakeups() = 0;
    /// What goes on by itself, until it is cancelled.
    [[nodiscard]] virtual Task<void> run() = 0;
    /// Whether the schema is still this program's; the error is a sentence that says what to do.
    [[nodiscard]] virtual Task<Status<std::string>> check_schema() = 0;
};

/// Throws StartupError: no such server or file, or a schema of another program. A SQLite file is made and migrated
/// where it is missing; PostgreSQL is only looked at, since other nodes may use it.
[[nodiscard]] std::unique_ptr<Database> open_database(const config::Database& options, const Executor& executor,
                                                      Clock& clock, Random& random, Log& log);

}  // namespace fencepost::node
