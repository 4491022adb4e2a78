// Counters and histograms on prometheus-cpp.
#include "telemetry/prometheus_telemetry.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <shared_mutex>
#include <sstream>
#include <utility>

#include "telemetry/metric_help.hpp"

namespace fencepost::telemetry {
namespace {

using Buckets = prometheus::Histogram::BucketBoundaries;

template <typename Metric>
std::string full_name(Metric metric) {
    return "fencepost_" + std::string(name_of(metric));
}

/// In seconds. Machine operations take milliseconds, chain operations take blocks.
Buckets buckets_of(Latency latency) {
    switch (latency) {
        case Latency::accept:
        case Latency::receipt_query:
        case Latency::database_write:
        case Latency::rpc_call:
            return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
        case Latency::accept_to_send:
        case Latency::accept_to_mined:
        case Latency::accept_to_final:
            return {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600, 1'200, 3'600};
    }
    FP_UNREACHABLE();
}

/// One counter and its labelled series, each created on its first count.
class LabelledCounter {
public:
    LabelledCounter(prometheus::Registry& registry, Counter counter)
        : label_(label_of(counter)),
          family_(prometheus::BuildCounter()
                      .Name(full_name(counter))
                      .Help(std::string(help_of(counter)))
                      .Register(registry)) {
        if (label_.empty()) (void)series("");
    }

    void add(std::string_view label, std::uint64_t by) {
        series(label_.empty() ? "" : label).Increment(static_cast<double>(by));
    }

private:
    // The library looks labels up under one global lock; ours is shared by readers of existing series.
    prometheus::Counter& series(std::string_view label) {
        {
            const std::shared_lock lock(mutex_);
            if (const auto known = series_.find(label); known != series_.end()) return *known->second;
            if (series_.size() > PrometheusTelemetry::max_labels) return *series_.find("other")->second;
        }
        const std::scoped_lock lock(mutex_);
        std::string kept(series_.size() < PrometheusTelemetry::max_labels ? label : "other");
        auto& counter = family_.Add(label_.empty() ? prometheus::Labels{} : prometheus::Labels{{label_, kept}});
        series_.emplace(std::move(kept), &counter);
        return counter;
    }

    std::string label_;
    prometheus::Family<prometheus::Counter>& family_;
    std::shared_mutex mutex_;
    std::map<std::string, prometheus::Counter*, std::less<>> series_;
};

Buckets buckets_of(Size /*size*/) { return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1'024}; }

template <typename Metric>
prometheus::Histogram& histogram(prometheus::Registry& registry, Metric metric) {
    return prometheus::BuildHistogram()
        .Name(full_name(metric))
        .Help(std::string(help_of(metric)))
        .Register(registry)
        .Add({}, buckets_of(metric));
}

/// `readings` are sorted by gauge.
void append(std::vector<prometheus::MetricFamily>& families, const std::vector<GaugeReading>& readings) {
    for (const auto& reading : readings) {
        const auto name = full_name(reading.gauge);
        if (families.empty() || families.back().name != name) {
            families.push_back({name, std::string(help_of(reading.gauge)), prometheus::MetricType::Gauge, {}});
        }
        prometheus::ClientMetric metric;
        const auto label = label_of(reading.gauge);
        if (!label.empty()) metric.label.push_back({std::string(label), reading.label});
        metric.gauge.value = reading.value;
        families.back().metric.push_back(std::move(metric));
    }
}

}  // namespace

struct PrometheusTelemetry::Metrics {
    Metrics() {
        for (const auto& [counter, name] : enum_names<Counter>)
            counters.try_emplace(counter, registry, counter);
        for (const auto& [latency, name] : enum_names<Latency>)
            latencies.emplace(latency, &histogram(registry, latency));
        for (const auto& [size, name] : enum_names<Size>)
            sizes.emplace(size, &histogram(registry, size));
    }

    prometheus::Registry registry;
    // Complete from the start, so reading needs no lock.
    std::map<Counter, LabelledCounter> counters;
    std::map<Latency, prometheus::Histogram*> latencies;
    std::map<Size, prometheus::Histogram*> sizes;
};

PrometheusTelemetry::PrometheusTelemetry() : metrics_(std::make_unique<Metrics>()) {}
PrometheusTelemetry::~PrometheusTelemetry() = default;

void PrometheusTelemetry::count(Counter counter, std::string_view label, std::uint64_t by) {
    metrics_->counters.find(counter)->second.add(label, by);
}

void PrometheusTelemetry::observe(Latency latency, Duration took) {
    // A time span between the clocks of two machines can be negative.
    const auto seconds = std::chrono::duration<double>(std::max(took, Duration::zero())).count();
    metrics_->latencies.find(latency)->second->Observe(seconds);
}

void PrometheusTelemetry::measure(Size size, std::uint64_t count) {
    metrics_->sizes.find(size)->second->Observe(static_cast<double>(count));
}

std::string PrometheusTelemetry::exposition(std::vector<GaugeReading> gauges) const {
    auto families = metrics_->registry.Collect();
    for (auto& family : families)
        std::ranges::sort(family.metric, {}, &prometheus::ClientMetric::label);
    append(families, bounded(std::move(gauges), max_gauge_labels));
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, families);
    return text.str();
}

}  // namespace fencepost::telemetry
