// The outputs of a node for operators: its log and its alerts.
#pragma once

#include <memory>

#include "alerts/alert_deduplicator.hpp"
#include "alerts/alerting_log.hpp"
#include "alerts/log_sink.hpp"
#include "alerts/webhook_sink.hpp"
#include "config/config.hpp"
#include "jsonrpc/json_poster.hpp"
#include "ports/clock.hpp"
#include "telemetry/background_writer.hpp"
#include "telemetry/line_log.hpp"

namespace fencepost::node {

class NodeLog {
public:
    NodeLog(const Executor& executor, Clock& clock, const config::Config& config, const NodeId& node, int descriptor);

    [[nodiscard]] Log& plain() { return lines_; }
    /// Log lines written here at severity alert are raised as alerts, too.
    [[nodiscard]] Log& alerting() { return alerting_; }
    [[nodiscard]] Alerts& alerts() { return deduplicator_; }

    /// Repeats and posts alerts until it is cancelled.
    [[nodiscard]] Task<void> run();

private:
    [[nodiscard]] std::vector<std::reference_wrapper<alerts::AlertSink>> sinks();

    Executor executor_;
    telemetry::BackgroundWriter writer_;
    telemetry::LineLog lines_;
    alerts::LogSink log_sink_;
    std::unique_ptr<jsonrpc::JsonPoster> poster_;
    std::unique_ptr<alerts::WebhookSink> webhook_;
    alerts::AlertDeduplicator deduplicator_;
    alerts::AlertingLog alerting_;
};

}  // namespace fencepost::node
