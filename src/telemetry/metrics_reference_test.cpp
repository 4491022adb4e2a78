// The metrics reference and the gauges of waiting transactions.
#include "telemetry/metrics_reference.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/prometheus_telemetry.hpp"
#include "telemetry/readings.hpp"
#include "telemetry/test_exposition.hpp"

namespace fencepost::telemetry {
namespace {

using ::testing::HasSubstr;

TEST(MetricsReference, MatchesDocumentation) {
    const std::ifstream file(std::string(FENCEPOST_SOURCE_DIR) + "/docs/reference/metrics.md");
    ASSERT_TRUE(file) << "docs/reference/metrics.md is missing";
    std::ostringstream written;
    written << file.rdbuf();
    EXPECT_EQ(written.str(), metrics_reference()) << "docs/reference/metrics.md is stale: it should read\n"
                                                  << metrics_reference();
}

TEST(MetricsReference, NamesEveryExposedMetric) {
    PrometheusTelemetry telemetry;
    for (const auto& [counter, name] : enum_names<Counter>)
        telemetry.count(counter, "some", 1);
    std::vector<GaugeReading> gauges;
    for (const auto& [gauge, name] : enum_names<Gauge>)
        gauges.push_back({gauge, "some", 1});
    const auto reference = metrics_reference();
    for (const auto& [name, type] : test::read_exposition(telemetry.exposition(gauges)).types)
        EXPECT_THAT(reference, HasSubstr("| `" + name + "` |"));
}

TEST(Readings, ReportBacklogOfEachServedSubmitter) {
    const auto alice = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000aa").value();
    const auto bob = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000bb").value();
    const PrometheusTelemetry telemetry;
    const auto read = test::read_exposition(telemetry.exposition(readings_of({{alice, 5, 2}, {bob, 0, 1}})));
    EXPECT_EQ(read.samples.at("fencepost_open_lanes"), 2);
    EXPECT_EQ(read.samples.at("fencepost_queue_depth{submitter=\"" + alice.to_string() + "\"}"), 5);
    EXPECT_EQ(read.samples.at("fencepost_pending_transactions{submitter=\"" + alice.to_string() + "\"}"), 2);
    EXPECT_EQ(read.samples.at("fencepost_queue_depth{submitter=\"" + bob.to_string() + "\"}"), 0);
    const auto idle = test::read_exposition(telemetry.exposition(readings_of({})));
    EXPECT_EQ(idle.samples.at("fencepost_open_lanes"), 0);
}

}  // namespace
}  // namespace fencepost::telemetry
