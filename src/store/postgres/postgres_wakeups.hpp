// Wake-ups through PostgreSQL's LISTEN and NOTIFY, on a connection of their own. They are sent after the commit they
// tell of, many in one statement: inside it, every commit would queue for the lock on the list of notifications, and 32
// clients fell from 4.4k to 2.2k commits a second.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ports/clock.hpp"
#include "ports/log.hpp"
#include "ports/random.hpp"
#include "ports/wakeup_inbox.hpp"
#include "ports/wakeups.hpp"
#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store {

namespace pg {
class Pool;
}

struct WakeupsOptions {
    pg::ConnectionOptions connection;
    /// A connection on which nothing came for so long is tried with a statement: a server that is frozen or cut off
    /// says nothing either.
    std::chrono::milliseconds check_every{10'000};
};

class PostgresWakeups final : public Wakeups {
public:
    /// Clock, random and log must outlive it.
    PostgresWakeups(const Executor& executor, Clock& clock, Random& random, Log& log, WakeupsOptions options);
    ~PostgresWakeups() override;

    /// Sends and hears, until it is cancelled. A lost connection is made again, after pauses that grow; what is
    /// announced meanwhile is sent then.
    [[nodiscard]] Task<void> run();

    void announce(const SubmitterId& submitter) override { unsent_.put(submitter); }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() override { return heard_.next(); }

private:
    [[nodiscard]] Task<pg::PgError> serve(pg::Connection* connection);
    [[nodiscard]] Task<pg::PgResult<void>> send(pg::Connection* connection);
    [[nodiscard]] Task<pg::PgResult<void>> hear(pg::Connection* connection);
    void take(const std::vector<std::string>& payloads);
    void note_loss(const pg::PgError& error);

    WakeupsOptions options_;
    Clock& clock_;
    Log& log_;
    std::unique_ptr<pg::Pool> pool_;  // of one: it knows how to connect again
    WakeupInbox unsent_;
    WakeupInbox heard_;
    bool lost_ = false;
};

}  // namespace fencepost::store
