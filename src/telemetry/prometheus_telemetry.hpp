// The counts and latencies of a node as Prometheus collects them.
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

/// May be used from any thread.
class PrometheusTelemetry final : public Telemetry {
public:
    /// The media type of exposition().
    static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";
    /// Of one counter. Labels come from closed sets, far smaller, except where they are submitters: what is beyond the
    /// first so many is counted under "other" instead of filling the memory of whoever collects.
    static constexpr std::size_t most_labels = 64;
    static constexpr std::size_t most_gauge_labels = 100;

    PrometheusTelemetry();
    ~PrometheusTelemetry() override;

    void count(Counter counter, std::string_view label, std::uint64_t by) override;
    void observe(Latency latency, Duration took) override;
    void measure(Size size, std::uint64_t count) override;

    /// Everything counted so far, and the gauges as they were read just now, in Prometheus' text format. Counters
    /// without a label are there from the start, others from their first count on.
    [[nodiscard]] std::string exposition(std::vector<GaugeReading> gauges = {}) const;

private:
    struct Metrics;  // the library's types stay in the .cpp

    std::unique_ptr<Metrics> metrics_;
};

}  // namespace fencepost::telemetry
