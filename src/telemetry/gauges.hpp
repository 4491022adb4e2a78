// Gauges: current values, as opposed to counters. They are read on each scrape, so none outlives its subject: a
// submitter that moved to another node disappears at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.hpp"
#include "base/text/enum_names.hpp"

namespace fencepost::telemetry {

/// Each has at most one label (in braces). Exported under "fencepost_".
enum class Gauge {
    queue_depth,           // {submitter}: accepted, no nonce yet
    pending_transactions,  // {submitter}: with a nonce, no final state yet
    open_lanes,            //
    endpoint_available,    // {endpoint}: 1 or 0
    chain_able,            // {chain}: 1 or 0
    signers_not_able,      //
    window_lanes,          // {limit}: submitters, by what limits their window
    window_nonces,         // {limit}: the sum of those windows
    window_smallest,       // {limit}: the smallest of them
};

struct GaugeReading {
    Gauge gauge{};
    std::string label{};
    double value = 0;
    friend bool operator==(const GaugeReading&, const GaugeReading&) = default;
};

/// The name of a gauge's label; empty when it has none.
[[nodiscard]] constexpr std::string_view label_of(Gauge gauge) {
    switch (gauge) {
        case Gauge::queue_depth:
        case Gauge::pending_transactions:
            return "submitter";
        case Gauge::endpoint_available:
            return "endpoint";
        case Gauge::chain_able:
            return "chain";
        case Gauge::window_lanes:
        case Gauge::window_nonces:
        case Gauge::window_smallest:
            return "limit";
        case Gauge::open_lanes:
        case Gauge::signers_not_able:
            return "";
    }
    FP_UNREACHABLE();
}

/// Bounds the number of series, because a node may serve any number of submitters: of each gauge the `most` largest
/// readings keep their label, the others are summed under the label "other". Sorted by gauge and label.
[[nodiscard]] std::vector<GaugeReading> bounded(std::vector<GaugeReading> readings, std::size_t most);

}  // namespace fencepost::telemetry

template <>
inline constexpr fencepost::EnumNames<fencepost::telemetry::Gauge, 9>
    fencepost::enum_names<fencepost::telemetry::Gauge>{{
        {fencepost::telemetry::Gauge::queue_depth, "queue_depth"},
        {fencepost::telemetry::Gauge::pending_transactions, "pending_transactions"},
        {fencepost::telemetry::Gauge::open_lanes, "open_lanes"},
        {fencepost::telemetry::Gauge::endpoint_available, "endpoint_available"},
        {fencepost::telemetry::Gauge::chain_able, "chain_able"},
        {fencepost::telemetry::Gauge::signers_not_able, "signers_not_able"},
        {fencepost::telemetry::Gauge::window_lanes, "window_lanes"},
        {fencepost::telemetry::Gauge::window_nonces, "window_nonces"},
        {fencepost::telemetry::Gauge::window_smallest, "window_smallest"},
    }};
