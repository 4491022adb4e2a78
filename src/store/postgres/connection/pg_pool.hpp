// A few connections that many tasks take in turn: opening one costs more than most statements, and the server has only
// so many. It is also the place that connects again after PostgreSQL was away.
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
    /// The pause after a connection failed to open; it doubles up to the longest, and half of it is left to chance, so
    /// that the nodes do not come back all at once.
    Duration first_pause = std::chrono::milliseconds(50);
    Duration longest_pause = std::chrono::seconds(2);
    /// How long after the first failure take() goes on trying to connect before it passes the error on.
    Duration patience = std::chrono::seconds(10);
};

class Pool {
    struct State;
    struct Waiter;

public:
    /// A connection on loan. It goes back when this goes; one that broke, or that has a transaction open, is closed
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

    /// Opens nothing yet. All takers run on this executor.
    Pool(const Executor& executor, Clock& clock, Random& random, PoolOptions options);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// A connection that was usable when last seen. Whoever comes when all are taken waits, and is served in the order
    /// of coming. Connects where needed, again and again while PostgreSQL is away; what only a person can correct (a
    /// wrong password, no such database) is an error at once.
    [[nodiscard]] Task<PgResult<Lease>> take();

    /// How many connections are open and not on loan.
    [[nodiscard]] std::size_t idle() const;

private:
    static Task<PgResult<Lease>> take_from(std::shared_ptr<State> state);
    static Task<PgResult<std::unique_ptr<Connection>>> open(std::shared_ptr<State> state);

    std::shared_ptr<State> state_;
};

}  // namespace fencepost::store::pg
