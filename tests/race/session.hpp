// A connection that a test steps by hand, as in PostgreSQL's isolation tester: the test sends a statement, checks
// whether it waits for a lock, continues elsewhere, and collects the answer later.
#pragma once

#include <libpq-fe.h>
#include <memory>
#include <string>
#include <vector>

namespace fencepost::race {

using Params = std::vector<std::string>;
using Answer = std::vector<std::vector<std::string>>;  // rows of columns, as text

/// The result of a statement: rows, or the SQLSTATE of its error.
struct Outcome {
    Answer rows{};
    std::string sqlstate{};  // empty: success; "lost": the connection is gone

    [[nodiscard]] bool ok() const { return sqlstate.empty(); }
};

class Session {
public:
    /// Throws when it cannot connect.
    explicit Session(const std::string& url);

    /// Sends and returns at once. One statement at a time.
    void send(const std::string& sql, const Params& params = {});
    /// Waits for the answer to the sent statement.
    Outcome collect();
    /// send() and collect(); throws on an error.
    Answer run(const std::string& sql, const Params& params = {});
    /// send() and collect(); an error is an outcome.
    Outcome attempt(const std::string& sql, const Params& params = {});

    /// Sends the statements in a pipeline and stalls before its Sync, which no server timeout ends.
    void stall_in_pipeline(const std::vector<std::string>& statements);

    /// Whether the sent statement waits for a lock, as seen by another session.
    [[nodiscard]] bool is_blocked(Session& control) const;
    /// Whether it starts to wait within half a minute.
    [[nodiscard]] bool comes_to_wait(Session& control) const;
    [[nodiscard]] int backend_pid() const { return PQbackendPID(connection_.get()); }

private:
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

}  // namespace fencepost::race
