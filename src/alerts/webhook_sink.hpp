// Posts alerts as JSON to an HTTP endpoint. A slow or unavailable receiver blocks nothing: notices wait in a short
// queue, the oldest are dropped when it is full, and the next delivery says how many were lost.
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
    /// Pause after a failure; doubles with each further failure, up to `longest_pause`.
    Duration initial_pause = std::chrono::seconds(1);
    Duration longest_pause = std::chrono::minutes(1);
    /// Maximum number of attempts per notice: a refused notice must not block the others.
    unsigned tries = 5;
    std::size_t waiting = 100;
};

/// The body that is posted: kind, level, submitter (or null), message, at, times, reminder, lost.
[[nodiscard]] std::string webhook_body(const Notice& notice, std::uint64_t lost);

class WebhookSink final : public AlertSink {
public:
    /// `log` must be the plain log, not an AlertingLog.
    WebhookSink(const Executor& executor, HttpPoster& poster, Clock& clock, Log& log, WebhookOptions options = {});

    void notify(const Notice& notice) override;

    /// Posts until cancelled.
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
