// Sends and receives notifications, and reconnects.
#include "store/postgres/postgres_wakeups.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <boost/asio/experimental/awaitable_operators.hpp>

#include "store/postgres/connection/pg_pool.hpp"

namespace fencepost::store {

using namespace boost::asio::experimental::awaitable_operators;  // NOLINT(google-build-using-namespace)

namespace {

constexpr Duration pause_after_loss = std::chrono::milliseconds(100);

using pg::Params;
using pg::PgResult;
using pg::Statement;

constexpr Statement start_listening{"wakeup_listen", R"sql(
LISTEN fencepost_wakeup
)sql"};

// One notification each: together they could exceed the limit of 8000 bytes.
constexpr Statement notify{"wakeup_notify", R"sql(
SELECT pg_notify('fencepost_wakeup', submitter)
FROM unnest($1::text[]) AS announced (submitter)
)sql"};

constexpr Statement check{"wakeup_check", R"sql(
SELECT 1
)sql"};

PgResult<void> without_rows(const PgResult<pg::Rows>& rows) {
    if (!rows) return err(rows.error());
    return {};
}

}  // namespace

PostgresWakeups::PostgresWakeups(const Executor& executor, Clock& clock, Random& random, Log& log,
                                 WakeupsOptions options)
    : options_(std::move(options)),
      clock_(clock),
      log_(log),
      pool_(std::make_unique<pg::Pool>(executor, clock, random,
                                       pg::PoolOptions{.connection = options_.connection, .size = 1})),
      unsent_(executor),
      received_(executor) {}

PostgresWakeups::~PostgresWakeups() = default;

Task<void> PostgresWakeups::run() {
    while (true) {
        auto connection = co_await pool_->take();
        if (!connection) {
            log_loss(connection.error());
            continue;  // the pool pauses before it retries
        }
        log_loss(co_await serve(&**connection));
        // The pool knows only of connections that failed to open.
        co_await clock_.sleep_for(pause_after_loss);
    }
}

// Runs until the connection is lost, and returns the reason.
Task<pg::PgError> PostgresWakeups::serve(pg::Connection* connection) {
    auto done = without_rows(co_await connection->run_one({&start_listening, {}}));
    if (done) lost_ = false;
    while (done)
        done = unsent_.is_empty() ? co_await receive(connection) : co_await send(connection);
    co_return done.error();
}

Task<PgResult<void>> PostgresWakeups::send(pg::Connection* connection) {
    const auto submitters = unsent_.take();
    std::vector<std::optional<std::string>> names;
    names.reserve(submitters.size());
    for (const auto& submitter : submitters)
        names.emplace_back(submitter.to_string());
    const auto sent = without_rows(co_await connection->run_one({&notify, Params().add(names)}));
    if (!sent) {
        // Sent with the next connection, possibly twice: a superfluous wake-up is harmless.
        for (const auto& submitter : submitters)
            unsent_.put(submitter);
        co_return sent;
    }
    // Notifications received meanwhile are handled now: there may always be something to send.
    const auto came = co_await connection->notifications(std::chrono::milliseconds(0));
    if (!came) co_return err(came.error());
    take(*came);
    co_return PgResult<void>{};
}

// Waits until a notification arrives or there is something to send.
Task<PgResult<void>> PostgresWakeups::receive(pg::Connection* connection) {
    auto first = co_await (connection->notifications(options_.check_every) || unsent_.wait());
    if (first.index() == 1) co_return PgResult<void>{};
    const auto& came = std::get<0>(first);
    if (!came) co_return err(came.error());
    take(*came);
    if (!came->empty()) co_return PgResult<void>{};
    co_return without_rows(co_await connection->run_one({&check, {}}));
}

void PostgresWakeups::take(const std::vector<std::string>& payloads) {
    for (const auto& payload : payloads) {
        // Any database user may notify: payloads that are not submitter ids are ignored.
        if (const auto submitter = SubmitterId::parse(payload)) received_.put(*submitter);
    }
}

// Logged once per outage. Only latency is lost: owners also poll.
void PostgresWakeups::log_loss(const pg::PgError& error) {
    if (std::exchange(lost_, true)) return;
    log_.write(Severity::warning, "Wake-ups between nodes suspended until the database answers", {{"why", error.what}});
}

}  // namespace fencepost::store
