// Names, labels, limits and concurrency of the exposed metrics.
#include "telemetry/prometheus_telemetry.hpp"

#include <future>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "telemetry/test_exposition.hpp"

namespace fencepost::telemetry {
namespace {

using namespace std::chrono_literals;
using test::read_exposition;

TEST(PrometheusTelemetry, ExposesRequiredCountersWithNamesAndLabels) {
    PrometheusTelemetry telemetry;
    for (const auto& [counter, name] : enum_names<Counter>)
        telemetry.count(counter, label_of(counter).empty() ? "" : "some", 2);
    const auto read = read_exposition(telemetry.exposition());
    for (const auto& [counter, name] : enum_names<Counter>) {
        const auto label = label_of(counter);
        const auto series =
            label.empty() ? fmt::format("fencepost_{}", name) : fmt::format("fencepost_{}{{{}=\"some\"}}", name, label);
        ASSERT_TRUE(read.samples.contains(series)) << series;
        EXPECT_EQ(read.samples.at(series), 2) << series;
        EXPECT_EQ(read.types.at(fmt::format("fencepost_{}", name)), "counter");
    }
    EXPECT_TRUE(read.samples.contains("fencepost_lease_fenced_total{operation=\"some\"}"));
}

TEST(PrometheusTelemetry, CountsEachLabelSeparately) {
    PrometheusTelemetry prometheus;
    Telemetry& telemetry = prometheus;
    telemetry.count(Counter::receipt_check, "hit");
    telemetry.count(Counter::receipt_check, "miss", 5);
    telemetry.count(Counter::receipt_check, "hit", 2);
    const auto read = read_exposition(prometheus.exposition());
    EXPECT_EQ(read.samples.at("fencepost_receipt_check_total{result=\"hit\"}"), 3);
    EXPECT_EQ(read.samples.at("fencepost_receipt_check_total{result=\"miss\"}"), 5);
}

TEST(PrometheusTelemetry, UnlabelledCountersStartAtZero) {
    const auto read = read_exposition(PrometheusTelemetry().exposition());
    EXPECT_EQ(read.samples.at("fencepost_confirmations_new_fork_total"), 0);
    EXPECT_EQ(read.samples.at("fencepost_lease_token_jump_total"), 0);
}

TEST(PrometheusTelemetry, ExposesLatenciesAsHistograms) {
    PrometheusTelemetry telemetry;
    for (const auto took : {3ms, 4ms, 700ms, 60'000ms, -5ms})
        telemetry.observe(Latency::rpc_call, took);
    const auto read = read_exposition(telemetry.exposition());
    EXPECT_EQ(read.types.at("fencepost_rpc_call_seconds"), "histogram");
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"0.0025\"}"), 1) << "below zero is zero";
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"0.005\"}"), 3);
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"0.5\"}"), 3);
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"1\"}"), 4);
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"10\"}"), 4);
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_bucket{le=\"+Inf\"}"), 5);
    EXPECT_EQ(read.samples.at("fencepost_rpc_call_seconds_count"), 5);
    EXPECT_DOUBLE_EQ(read.samples.at("fencepost_rpc_call_seconds_sum"), 60.707);
    for (const auto& [latency, name] : enum_names<Latency>)
        EXPECT_TRUE(read.samples.contains(fmt::format("fencepost_{}_count", name))) << name;
}

TEST(PrometheusTelemetry, ExposesSizesAsHistograms) {
    PrometheusTelemetry telemetry;
    for (const std::uint64_t size : {1U, 3U, 256U, 5'000U})
        telemetry.measure(Size::lane_batch, size);
    const auto read = read_exposition(telemetry.exposition());
    EXPECT_EQ(read.types.at("fencepost_lane_batch_size"), "histogram");
    EXPECT_EQ(read.samples.at("fencepost_lane_batch_size_bucket{le=\"1\"}"), 1);
    EXPECT_EQ(read.samples.at("fencepost_lane_batch_size_bucket{le=\"4\"}"), 2);
    EXPECT_EQ(read.samples.at("fencepost_lane_batch_size_bucket{le=\"256\"}"), 3);
    EXPECT_EQ(read.samples.at("fencepost_lane_batch_size_bucket{le=\"+Inf\"}"), 4);
    EXPECT_EQ(read.samples.at("fencepost_lane_batch_size_sum"), 5'260);
    EXPECT_TRUE(read.samples.contains("fencepost_intake_batch_size_count"));
}

TEST(PrometheusTelemetry, FurtherSubmittersShareOneSeries) {
    PrometheusTelemetry telemetry;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 100; ++i)
            telemetry.count(Counter::nonce_allocated, fmt::format("submitter {}", i), 1);
    }
    const auto read = read_exposition(telemetry.exposition());
    EXPECT_EQ(read.samples.at("fencepost_nonce_allocated_total{submitter=\"submitter 0\"}"), 2);
    EXPECT_EQ(read.samples.at("fencepost_nonce_allocated_total{submitter=\"submitter 63\"}"), 2);
    EXPECT_FALSE(read.samples.contains("fencepost_nonce_allocated_total{submitter=\"submitter 64\"}"));
    EXPECT_EQ(read.samples.at("fencepost_nonce_allocated_total{submitter=\"other\"}"), 72);
}

TEST(PrometheusTelemetry, ExposesCurrentGauges) {
    const PrometheusTelemetry telemetry;
    const auto first = read_exposition(telemetry.exposition({{Gauge::queue_depth, "eip155:1:0xab", 4},
                                                             {Gauge::open_lanes, "", 2},
                                                             {Gauge::queue_depth, "eip155:1:0xcd", 0}}));
    EXPECT_EQ(first.types.at("fencepost_queue_depth"), "gauge");
    EXPECT_EQ(first.samples.at("fencepost_queue_depth{submitter=\"eip155:1:0xab\"}"), 4);
    EXPECT_EQ(first.samples.at("fencepost_queue_depth{submitter=\"eip155:1:0xcd\"}"), 0);
    EXPECT_EQ(first.samples.at("fencepost_open_lanes"), 2);
    const auto second = read_exposition(telemetry.exposition());
    EXPECT_FALSE(second.types.contains("fencepost_queue_depth")) << "a submitter that moved away disappears";
}

TEST(PrometheusTelemetry, LimitsNumberOfSeries) {
    PrometheusTelemetry telemetry;
    std::vector<GaugeReading> gauges;
    for (int i = 0; i < 1'000; ++i) {
        telemetry.count(Counter::tx_submit, fmt::format("label {}", i), 1);
        gauges.push_back({Gauge::pending_transactions, fmt::format("submitter {}", i), double(i)});
    }
    const auto read = read_exposition(telemetry.exposition(std::move(gauges)));
    EXPECT_LT(read.samples.size(), 400U);
    EXPECT_EQ(read.samples.at("fencepost_tx_submit_total{result=\"other\"}"), 1'000 - 64);
    EXPECT_EQ(read.samples.at("fencepost_pending_transactions{submitter=\"submitter 999\"}"), 999);
    EXPECT_EQ(read.samples.at("fencepost_pending_transactions{submitter=\"other\"}"), 899 * 900 / 2);
}

TEST(PrometheusTelemetry, EscapesLabelValues) {
    const PrometheusTelemetry telemetry;
    const auto read = read_exposition(telemetry.exposition({{Gauge::endpoint_available, "a\"b\\c\nd", 1}}));
    EXPECT_EQ(read.samples.at(R"(fencepost_endpoint_available{endpoint="a\"b\\c\nd"})"), 1);
}

TEST(PrometheusTelemetry, LosesNoCountFromSeveralThreads) {
    PrometheusTelemetry telemetry;
    {
        std::vector<std::future<void>> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.push_back(std::async(std::launch::async, [&telemetry] {
                for (int i = 0; i < 5'000; ++i) {
                    telemetry.count(Counter::finality, i % 2 == 0 ? "CONFIRMED" : "FAILED_FINAL", 1);
                    telemetry.observe(Latency::accept, 1ms);
                    if (i % 1'000 == 0) (void)telemetry.exposition();
                }
            }));
        }
    }
    const auto read = read_exposition(telemetry.exposition());
    EXPECT_EQ(read.samples.at("fencepost_finality_total{result=\"CONFIRMED\"}"), 10'000);
    EXPECT_EQ(read.samples.at("fencepost_finality_total{result=\"FAILED_FINAL\"}"), 10'000);
    EXPECT_EQ(read.samples.at("fencepost_accept_seconds_count"), 20'000);
}

}  // namespace
}  // namespace fencepost::telemetry
