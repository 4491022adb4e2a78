#include "telemetry/metrics_reference.hpp"

#include <fmt/format.h>

#include "telemetry/metric_help.hpp"
#include "telemetry/prometheus_telemetry.hpp"

namespace fencepost::telemetry {
namespace {

std::string row(std::string_view name, std::string_view label, std::string_view help) {
    const auto labels = label.empty() ? std::string("none") : fmt::format("`{}`", label);
    return fmt::format("| `fencepost_{}` | {} | {} |\n", name, labels, help);
}

template <typename Metric>
std::string rows_with_labels() {
    std::string text = "| name | label | meaning |\n|---|---|---|\n";
    for (const auto& [metric, name] : enum_names<Metric>)
        text += row(name, label_of(metric), help_of(metric));
    return text;
}

template <typename Metric>
std::string rows_without_labels() {
    std::string text = "| name | label | meaning |\n|---|---|---|\n";
    for (const auto& [metric, name] : enum_names<Metric>)
        text += row(name, "", help_of(metric));
    return text;
}

}  // namespace

std::string metrics_reference() {
    std::string text = "# Metrics\n\n";
    text += "What `GET /metrics` shows, in Prometheus' text format. A test compares this page with the code.\n\n";
    text +=
        "Where there are API keys it needs one that may `read` (Prometheus: `authorization: {credentials_file: …}`),\n"
        "unless the node has `api.openMetrics: true`.\n\n";
    text += fmt::format(
        "A node may serve any number of submitters. Of a counter the first {} keep a series of their own and all "
        "others\n"
        "share the label `other`; of a gauge the {} largest do, and the others are summed under `other`.\n\n",
        PrometheusTelemetry::most_labels, PrometheusTelemetry::most_gauge_labels);
    text += "## Counters\n\n" + rows_with_labels<Counter>();
    text += "\n## Gauges\n\nAs they are when they are asked for.\n\n" + rows_with_labels<Gauge>();
    text += "\n## Latencies\n\nHistograms, in seconds.\n\n" + rows_without_labels<Latency>();
    text += "\n## Sizes\n\nHistograms.\n\n" + rows_without_labels<Size>();
    return text;
}

}  // namespace fencepost::telemetry
