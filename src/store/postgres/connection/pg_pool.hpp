// A small pool of connections shared by many tasks: opening one costs more than most statements, and the server's
// number is limited. The pool also reconnects after an outage of PostgreSQL.
#pragma once

#include <cstddef>
#include <memory>

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::pg {

struct PoolOptions {
    ConnectionOptions connection;
    std::size_t size = 4;
    /// Pause after a failed connection attempt; doubles up to `longest_pause`, with 50 % jitter so that the nodes do
    /// not reconnect all at once.
    Duration initial_pause = std::chrono::milliseconds(50);
    Duration longest_pause = std::chrono::seconds(2);
    /// How long after the first failure take() keeps trying to connect before it returns the error.
    Duration patience = std::chrono::seconds(10);
};

class Pool {
    struct State;
    struct Waiter;

public:
    /// A borrowed connection, returned on destruction. A broken one, or one with an open transaction, is closed
    /// instead. May outlive the pool.
    class Lease {
    public:
        Lease(Lease&&) noexcept;
        Lease& operator=(Lease&&) noexcept;
        ~Lease();

        [[nodiscard]] Connection& operator*() const { return *connection_; }
        [[nodiscard]] Connection* operator->() const { return connection_.get(); }

    private:
        friend class Pool;
        explicit Lease(std::shared_ptr<State> state);
        void give_back();

        std::shared_ptr<State> state_;  // and one of its permits
        std::unique_ptr<Connection> connection_;
    };

    /// Opens no connection yet. All callers run on this executor.
    Pool(const Executor& executor, Clock& clock, Random& random, PoolOptions options);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// A connection that was usable when last seen. When all are borrowed, callers wait in FIFO order. Reconnects as
    /// often as needed while PostgreSQL is away; what only an operator can correct (wrong password, missing database)
    /// is an error at once.
    [[nodiscard]] Task<PgResult<Lease>> take();

    /// Number of open connections that are not borrowed.
    [[nodiscard]] std::size_t idle() const;

private:
    static Task<PgResult<Lease>> take_from(std::shared_ptr<State> state);
    static Task<PgResult<std::unique_ptr<Connection>>> open(std::shared_ptr<State> state);

    std::shared_ptr<State> state_;
};

}  // namespace fencepost::store::pg
