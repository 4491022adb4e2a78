// A connection that a test steps by hand, as PostgreSQL's isolation tester does: a statement is sent, the test looks
// whether it waits for a lock and goes on with something else, and the answer is collected later.
#pragma once

#include <libpq-fe.h>
#include <memory>
#include <string>
#include <vector>

namespace fencepost::race {

using Params = std::vector<std::string>;
using Answer = std::vector<std::vector<std::string>>;  // rows of columns, as text

/// What a statement came to: rows, or the SQLSTATE of its error.
struct Outcome {
    Answer rows{};
    std::string sqlstate{};  // empty: it succeeded; "lost": the connection is gone

    [[nodiscard]] bool ok() const { return sqlstate.empty(); }
};

class Session {
public:
    /// Throws where it cannot connect.
    explicit Session(const std::string& url);

    /// Sends and returns at once. One statement at a time.
    void send(const std::string& sql, const Params& params = {});
    /// Waits for the answer to what was sent.
    Outcome collect();
    /// Both. An error is thrown.
    Answer run(const std::string& sql, const Params& params = {});
    /// Both. An error is an outcome.
    Outcome attempt(const std::string& sql, const Params& params = {});

    /// Sends the statements in a pipeline and stalls before its Sync: no time-out of the server's ends that.
    void stall_in_pipeline(const std::vector<std::string>& statements);

    /// Whether the statement that was sent waits for a lock, as seen by another session.
    [[nodiscard]] bool is_blocked(Session& control) const;
    /// Returns whether it does within half a minute.
    [[nodiscard]] bool comes_to_wait(Session& control) const;
    [[nodiscard]] int backend_pid() const { return PQbackendPID(connection_.get()); }

private:
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

}  // namespace fencepost::race
