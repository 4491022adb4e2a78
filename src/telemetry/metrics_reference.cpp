// Builds the tables of docs/reference/metrics.md.
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
    text += "Metrics of `GET /metrics`, in Prometheus text format. A test compares this page with the code.\n\n";
    text +=
        "With API keys configured, scraping needs a key with `read` (Prometheus: `authorization: {credentials_file: "
        "…}`),\n"
        "unless the node has `api.openMetrics: true`.\n\n";
    text += fmt::format(
        "A node may serve any number of submitters. Each counter has a series for the first {} of them; all others\n"
        "share the label `other`. Each gauge has a series for the {} largest; the others are summed under `other`.\n\n",
        PrometheusTelemetry::max_labels, PrometheusTelemetry::max_gauge_labels);
    text += "## Counters\n\n" + rows_with_labels<Counter>();
    text += "\n## Gauges\n\nRead on each scrape.\n\n" + rows_with_labels<Gauge>();
    text += "\n## Latencies\n\nHistograms, in seconds.\n\n" + rows_without_labels<Latency>();
    text += "\n## Sizes\n\nHistograms.\n\n" + rows_without_labels<Size>();
    return text;
}

}  // namespace fencepost::telemetry
