// A node's counters and latencies in Prometheus format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ports/telemetry.hpp"
#include "telemetry/gauges.hpp"

namespace fencepost::telemetry {

/// Safe to use from any thread.
class PrometheusTelemetry final : public Telemetry {
public:
    /// Media type of exposition().
    static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";
    /// Maximum number of labels per counter. Labels come from small closed sets, except submitters: further ones are
    /// counted under "other" to bound the collector's memory.
    static constexpr std::size_t max_labels = 64;
    static constexpr std::size_t max_gauge_labels = 100;

    PrometheusTelemetry();
    ~PrometheusTelemetry() override;

    void count(Counter counter, std::string_view label, std::uint64_t by) override;
    void observe(Latency latency, Duration took) override;
    void measure(Size size, std::uint64_t count) override;

    /// All counters so far and the gauges as just read, in Prometheus text format. Counters without a label exist from
    /// the start, others from their first count.
    [[nodiscard]] std::string exposition(std::vector<GaugeReading> gauges = {}) const;

private:
    struct Metrics;  // keeps the library's types in the .cpp

    std::unique_ptr<Metrics> metrics_;
};

}  // namespace fencepost::telemetry
