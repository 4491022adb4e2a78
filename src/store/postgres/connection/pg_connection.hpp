// One asynchronous PostgreSQL connection on Asio, in libpq's pipeline mode: many statements per round trip, and no
// blocked thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "store/postgres/connection/pg_values.hpp"

namespace fencepost::store::pg {

/// Prepared once per connection under its name; both strings must outlive the connection.
struct Statement {
    std::string_view name;
    std::string_view sql;
};

struct Query {
    const Statement* statement = nullptr;
    Params params{};
};

struct PgError {
    enum class Kind {
        refused,  // the server returned an error; nothing since the last commit was done
        lost,     // connection lost before a COMMIT was sent; nothing since the last commit was done
        unknown,  // connection lost, or a warning, after a COMMIT was sent: it may have been done
    };
    Kind kind = Kind::lost;
    std::string sqlstate{};  // five characters; for `refused` only
    std::string what{};

    [[nodiscard]] bool is(std::string_view state) const { return sqlstate == state; }
};

template <typename T>
using PgResult = Result<T, PgError>;

struct ConnectionOptions {
    std::string url;  // postgresql://… or key=value, as in libpq
    std::string application_name = "fencepost";
    /// All well below the lease duration, so that a hung connection ends before the lease does.
    std::chrono::milliseconds connect_timeout{3000};
    std::chrono::milliseconds statement_timeout{3000};
    std::chrono::milliseconds lock_timeout{2000};
    std::chrono::milliseconds idle_in_transaction_timeout{3000};
    /// Client-side limit of a whole round trip. The server's own timeouts come first; this one covers a frozen or
    /// unreachable server. The connection is then abandoned.
    std::chrono::milliseconds answer_timeout{4000};
    /// For write connections: turns enable_seqscan, enable_hashjoin and enable_mergejoin off, so that the planner
    /// cannot switch plans.
    bool pin_plans = true;
};

class Connection {
public:
    /// Connects, configures the session and verifies that the server is supported and writable.
    [[nodiscard]] static Task<PgResult<std::unique_ptr<Connection>>> connect(Executor executor,
                                                                             ConnectionOptions options);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Runs the statements in one round trip and one database transaction, and commits: all or nothing.
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> run(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<Rows>> run_one(Query query);

    /// A database transaction over several round trips: begin() sends BEGIN with the first statements; more()
    /// continues; commit() sends the last statements with COMMIT; rollback() aborts. An error ends the transaction.
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> begin(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> more(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> commit(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<void>> rollback();

    /// Several statements in one text, without parameters, as one transaction: for migrations.
    [[nodiscard]] Task<PgResult<void>> run_script(std::string sql);

    /// The payloads received on the channels that this session listens to (LISTEN). Waits for the first one, up to
    /// `patience`; then returns none. Cancelling the wait does not harm the connection.
    [[nodiscard]] Task<PgResult<std::vector<std::string>>> notifications(std::chrono::milliseconds patience);

    /// False once the connection broke, or while or after a round trip was interrupted; it cannot be used again. Also
    /// detects a connection closed by the server.
    [[nodiscard]] bool is_usable() const;
    /// Whether a begin() is still without its commit() or rollback().
    [[nodiscard]] bool in_transaction() const;
    /// The server process behind it (pg_backend_pid).
    [[nodiscard]] int backend_pid() const;

private:
    struct Impl;
    explicit Connection(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::store::pg
