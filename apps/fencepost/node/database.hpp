// Opens the configured database: a store for each thread that needs one, and the wake-ups between nodes.
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

/// An implementation has checked at opening that the schema matches this program.
class Database {
public:
    virtual ~Database() = default;

    /// For tasks of this executor only. Clock and random must outlive the store.
    [[nodiscard]] virtual std::shared_ptr<Store> store_for(const Executor& executor, Clock& clock, Random& random) = 0;
    /// Belongs to the executor that the database was opened with.
    [[nodiscard]] virtual Wakeups& wakeups() = 0;
    /// Background work; runs until it is cancelled.
    [[nodiscard]] virtual Task<void> run() = 0;
    /// Whether the schema still matches this program; the error is a sentence that says what to do.
    [[nodiscard]] virtual Task<Status<std::string>> check_schema() = 0;
};

/// Throws StartupError: no such server or file, or a schema of another version. A missing SQLite file is created and
/// migrated; PostgreSQL is only checked, since other nodes may use it.
[[nodiscard]] std::unique_ptr<Database> open_database(const config::Database& options, const Executor& executor,
                                                      Clock& clock, Random& random, Log& log);

}  // namespace fencepost::node
