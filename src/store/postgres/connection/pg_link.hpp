// A connected libpq connection in pipeline mode, and the two things one waits for on it: that everything is sent, and
// that the next result is there.
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
    /// The connection must be established. Not movable: libpq keeps a pointer to it for notices.
    Link(const Executor& executor, ConnectionPtr connection);
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    [[nodiscard]] PGconn* pq() const { return connection_.get(); }

    /// Whether the server still listens, as far as can be told without asking it. Looked at before anything is sent,
    /// so that a connection that broke while idle is known to have done nothing.
    [[nodiscard]] bool is_open() const;

    /// For all waits until it is set again.
    void set_deadline(std::chrono::milliseconds from_now) { watch_.set_deadline(from_now); }

    /// Returns when all is sent, or can never be: the next result tells.
    [[nodiscard]] Task<void> flush();

    /// The next result, null at the end of one command's results; nothing when the connection is lost or the deadline
    /// has passed, and then the connection is of no use any more.
    [[nodiscard]] Task<std::optional<ResultPtr>> next();

    /// While nothing was asked: returns when the server has said something (or left), false at the deadline.
    [[nodiscard]] Task<bool> wait_for_input() { return watch_.until_readable(); }
    /// The payloads of the notifications read so far.
    [[nodiscard]] std::vector<std::string> take_notifications() const;

    /// Why next() gave nothing, for people.
    [[nodiscard]] std::string why_lost() const;

    /// The last WARNING (or worse) that came without being the answer to a command; empty if none since forgotten.
    [[nodiscard]] const std::string& warning() const { return warning_; }
    void forget_warning() { warning_.clear(); }

private:
    static void on_notice(void* link, const PGresult* notice);

    ConnectionPtr connection_;
    SocketWatch watch_;
    std::string warning_;
    bool late_ = false;
    bool left_ = false;  // the server has said that it ends the session
};

/// The message of an error or notice, without its severity; on one line.
[[nodiscard]] std::string message_of(const PGresult* result);
[[nodiscard]] std::string one_line(std::string text);

}  // namespace fencepost::store::pg
