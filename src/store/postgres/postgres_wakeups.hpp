// Wake-ups through PostgreSQL's LISTEN and NOTIFY on a dedicated connection. They are sent after the commit that they
// announce, many in one statement: inside the transaction, every commit would queue for the lock on the notification
// list (measured with 32 clients: 2.2k instead of 4.4k commits per second).
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
    /// After this long without input the connection is checked with a statement, because a frozen or unreachable server
    /// is silent as well.
    std::chrono::milliseconds check_every{10'000};
};

class PostgresWakeups final : public Wakeups {
public:
    /// Clock, random and log must outlive it.
    PostgresWakeups(const Executor& executor, Clock& clock, Random& random, Log& log, WakeupsOptions options);
    ~PostgresWakeups() override;

    /// Sends and receives until cancelled. Reconnects after growing pauses; wake-ups announced meanwhile are sent then.
    [[nodiscard]] Task<void> run();

    void announce(const SubmitterId& submitter) override { unsent_.put(submitter); }
    [[nodiscard]] Task<std::vector<SubmitterId>> next() override { return received_.next(); }

private:
    [[nodiscard]] Task<pg::PgError> serve(pg::Connection* connection);
    [[nodiscard]] Task<pg::PgResult<void>> send(pg::Connection* connection);
    [[nodiscard]] Task<pg::PgResult<void>> receive(pg::Connection* connection);
    void take(const std::vector<std::string>& payloads);
    void log_loss(const pg::PgError& error);

    WakeupsOptions options_;
    Clock& clock_;
    Log& log_;
    std::unique_ptr<pg::Pool> pool_;  // one connection; the pool reconnects
    WakeupInbox unsent_;
    WakeupInbox received_;
    bool lost_ = false;
};

}  // namespace fencepost::store
