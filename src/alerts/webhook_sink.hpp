// Alerts as JSON to somebody's HTTP endpoint. A receiver that is slow or away delays nobody: notices wait in a short
// line, the oldest go first when it is full, and the next that arrives says how many were lost.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "alerts/alert_sink.hpp"
#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "ports/clock.hpp"
#include "ports/http_poster.hpp"
#include "ports/log.hpp"

namespace fencepost::alerts {

struct WebhookOptions {
    Duration post_limit = std::chrono::seconds(10);
    /// After a failure; doubled with each one that follows, up to the last.
    Duration first_pause = std::chrono::seconds(1);
    Duration longest_pause = std::chrono::minutes(1);
    /// A notice is posted so often at the most. A receiver that refuses one must not hold back the others.
    unsigned tries = 5;
    std::size_t waiting = 100;
};

/// The body that is posted: kind, level, submitter (or null), message, at, times, reminder, lost.
[[nodiscard]] std::string webhook_body(const Notice& notice, std::uint64_t lost);

class WebhookSink final : public AlertSink {
public:
    /// The log is the plain one, not one that raises alerts.
    WebhookSink(const Executor& executor, HttpPoster& poster, Clock& clock, Log& log, WebhookOptions options = {});

    void tell(const Notice& notice) override;

    /// Posts until it is cancelled.
    [[nodiscard]] Task<void> run();

private:
    [[nodiscard]] Task<void> post(Notice notice);
    void lose(const Notice& notice, std::string_view why);

    HttpPoster& poster_;
    Clock& clock_;
    Log& log_;
    WebhookOptions options_;
    std::deque<Notice> waiting_;
    std::uint64_t lost_ = 0;
    Wakeup work_;
};

}  // namespace fencepost::alerts
