// One connection to PostgreSQL on Asio, through libpq's asynchronous pipeline mode: many statements in one round trip,
// no thread blocked.
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

/// A statement of ours. It is prepared once per connection, under its name; both must outlive the connection.
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
        refused,  // the server answered with an error; nothing since the last commit was done
        lost,     // the connection broke before a COMMIT was sent; nothing since the last commit was done
        unknown,  // it broke, or PostgreSQL warned, when a COMMIT had been sent: it may have been done
    };
    Kind kind = Kind::lost;
    std::string sqlstate{};  // five characters, of `refused`
    std::string what{};

    [[nodiscard]] bool is(std::string_view state) const { return sqlstate == state; }
};

template <typename T>
using PgResult = Result<T, PgError>;

struct ConnectionOptions {
    std::string url;  // postgresql://… or key=value, as libpq takes it
    std::string application_name = "fencepost";
    /// All well below the lease, so that a connection that hangs ends before the lease does.
    std::chrono::milliseconds connect_timeout{3000};
    std::chrono::milliseconds statement_timeout{3000};
    std::chrono::milliseconds lock_timeout{2000};
    std::chrono::milliseconds idle_in_transaction_timeout{3000};
    /// How long a whole round trip may take as seen from here. The server's own time-outs come first; this one is for a
    /// server that is frozen or cut off. The connection is then given up.
    std::chrono::milliseconds answer_timeout{4000};
    /// Set on write connections, so that the planner cannot flip: enable_seqscan, enable_hashjoin, enable_mergejoin
    /// off.
    bool pin_plans = true;
};

class Connection {
public:
    /// Connects, sets the session up and checks that the server is one we can write to.
    [[nodiscard]] static Task<PgResult<std::unique_ptr<Connection>>> connect(Executor executor,
                                                                             ConnectionOptions options);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Runs the statements in one round trip and in one database transaction of their own, and commits: all or nothing.
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> run(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<Rows>> run_one(Query query);

    /// A database transaction over several round trips: begin() sends BEGIN with the first statements and leaves it
    /// open; more() goes on in it; commit() sends the last statements with COMMIT; rollback() ends it without. After an
    /// error the transaction is over.
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> begin(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> more(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<std::vector<Rows>>> commit(std::vector<Query> queries);
    [[nodiscard]] Task<PgResult<void>> rollback();

    /// Several statements in one text, without parameters, as one transaction: migrations.
    [[nodiscard]] Task<PgResult<void>> run_script(std::string sql);

    /// What came on the channels that this session listens to (LISTEN), as their payloads. Waits for the first, but no
    /// longer than this; then there is none. A wait that is cancelled does not harm the connection.
    [[nodiscard]] Task<PgResult<std::vector<std::string>>> notifications(std::chrono::milliseconds patience);

    /// False once it broke, or while or after a round trip was interrupted; it is then of no use any more. A server
    /// that closed it meanwhile is noticed, too.
    [[nodiscard]] bool is_usable() const;
    /// Whether a begin() waits for its commit() or rollback().
    [[nodiscard]] bool in_transaction() const;
    /// The server process behind it (pg_backend_pid).
    [[nodiscard]] int backend_pid() const;

private:
    struct Impl;
    explicit Connection(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::store::pg
