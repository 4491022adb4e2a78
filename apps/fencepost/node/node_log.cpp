#include "node/node_log.hpp"

#include <fmt/format.h>

#include "base/async/task_group.hpp"

namespace fencepost::node {
namespace {

telemetry::BackgroundWriter::Options writer_options(const Clock& clock, telemetry::LogFormat format) {
    return {.dropped_line = [&clock, format](std::uint64_t lost) {
        return telemetry::to_line({.time = clock.unix_now(),
                                   .severity = Severity::warning,
                                   .message = "Log lines lost: the reader of the log is too slow",
                                   .fields = {{"lines", fmt::to_string(lost)}}},
                                  format);
    }};
}

}  // namespace

NodeLog::NodeLog(const Executor& executor, Clock& clock, const config::Config& config, const NodeId& node,
                 int descriptor)
    : executor_(executor),
      writer_(descriptor, writer_options(clock, config.log_format)),
      lines_(clock, writer_,
             {.format = config.log_format, .least = config.log_level, .common_fields = {{"node", node.value()}}}),
      log_sink_(lines_),
      poster_(config.alerting.webhook_url ? std::make_unique<jsonrpc::JsonPoster>(
                                                executor, clock,
                                                jsonrpc::JsonPosterOptions{.url = *config.alerting.webhook_url,
                                                                           .headers = config.alerting.webhook_headers,
                                                                           .ca_file = config.alerting.webhook_ca_file})
                                          : nullptr),
      webhook_(poster_
                   ? std::make_unique<alerts::WebhookSink>(executor, *poster_, clock, lines_, config.alerting.webhook)
                   : nullptr),
      deduplicator_(executor, clock, sinks(), config.alerting.deduplication),
      alerting_(lines_, deduplicator_) {}

std::vector<std::reference_wrapper<alerts::AlertSink>> NodeLog::sinks() {
    std::vector<std::reference_wrapper<alerts::AlertSink>> all{log_sink_};
    if (webhook_) all.emplace_back(*webhook_);
    return all;
}

Task<void> NodeLog::run() {
    TaskGroup tasks(executor_);
    tasks.spawn(deduplicator_.run());
    if (webhook_) tasks.spawn(webhook_->run());
    co_await tasks.join();
}

}  // namespace fencepost::node
