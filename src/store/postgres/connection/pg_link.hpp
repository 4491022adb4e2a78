// A connected libpq connection in pipeline mode with its two asynchronous waits: until everything is sent, and until
// the next result arrives.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "store/postgres/connection/pg_libpq.hpp"
#include "store/postgres/connection/pg_socket_watch.hpp"

namespace fencepost::store::pg {

class Link {
public:
    /// The connection must be established. Not movable: libpq keeps a pointer to this object for notices.
    Link(const Executor& executor, ConnectionPtr connection);
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    [[nodiscard]] PGconn* pq() const { return connection_.get(); }

    /// Whether the server still listens, without a round trip. Checked before sending, so that a connection that broke
    /// while idle is known to have done nothing.
    [[nodiscard]] bool is_open() const;

    /// Applies to all waits until it is set again.
    void set_deadline(std::chrono::milliseconds from_now) { watch_.set_deadline(from_now); }

    /// Returns when everything is sent, or never can be: the next result tells which.
    [[nodiscard]] Task<void> flush();

    /// The next result; null at the end of one command's results; empty when the connection is lost or the deadline has
    /// passed, after which the connection cannot be used.
    [[nodiscard]] Task<std::optional<ResultPtr>> next();

    /// Without a request in flight: returns true when the server sent something (or closed), false at the deadline.
    [[nodiscard]] Task<bool> wait_for_input() { return watch_.until_readable(); }
    /// The payloads of the notifications read so far.
    [[nodiscard]] std::vector<std::string> take_notifications() const;

    /// Why next() returned nothing, as text for operators.
    [[nodiscard]] std::string why_lost() const;

    /// The last unsolicited WARNING (or worse); empty if there was none since the last forget_warning().
    [[nodiscard]] const std::string& warning() const { return warning_; }
    void forget_warning() { warning_.clear(); }

private:
    static void on_notice(void* link, const PGresult* notice);

    ConnectionPtr connection_;
    SocketWatch watch_;
    std::string warning_;
    bool late_ = false;
    bool left_ = false;  // the server has announced the end of the session
};

/// The message of an error or notice, without its severity, on one line.
[[nodiscard]] std::string message_of(const PGresult* result);
[[nodiscard]] std::string one_line(std::string text);

}  // namespace fencepost::store::pg
