// Bounded gauges, node ability and windows.
#include "telemetry/gauges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "telemetry/readings.hpp"

namespace fencepost::telemetry {
namespace {

using ::testing::ElementsAre;

TEST(Gauges, LargestKeepLabelAndOthersAreSummed) {
    EXPECT_THAT(bounded({{Gauge::queue_depth, "a", 1},
                         {Gauge::open_lanes, "", 5},
                         {Gauge::queue_depth, "b", 9},
                         {Gauge::queue_depth, "c", 2},
                         {Gauge::queue_depth, "d", 7}},
                        2),
                ElementsAre(GaugeReading{Gauge::queue_depth, "b", 9}, GaugeReading{Gauge::queue_depth, "d", 7},
                            GaugeReading{Gauge::queue_depth, "other", 3}, GaugeReading{Gauge::open_lanes, "", 5}));
}

TEST(Gauges, ReportNodeAbility) {
    NodeAbility ability;
    ability.chains[ChainRef::evm(1)] = {};
    ability.chains[ChainRef::evm(2)] = {.ability = {.cause = AbilityCause::no_head}};
    ability.signers[SubmitterId::evm(1, Address{})] = {.cause = AbilityCause::sign_failed};
    ability.signers[SubmitterId::evm(2, Address{})] = {};
    EXPECT_THAT(ability_readings(ability), ElementsAre(GaugeReading{Gauge::chain_able, "eip155:1", 1},
                                                       GaugeReading{Gauge::chain_able, "eip155:2", 0},
                                                       GaugeReading{Gauge::signers_not_able, "", 1}));
}

TEST(Gauges, ReportSubmittersByWindowLimit) {
    const auto submitter = [](std::uint8_t last) {
        Address address{};
        address.data.back() = last;
        return SubmitterId::evm(1, address);
    };
    const auto fixed = submitter(5);
    const std::vector<SubmitterBacklog> backlogs{{.submitter = submitter(1)},
                                                 {.submitter = submitter(2), .window = WindowState{256}},
                                                 {.submitter = submitter(3), .window = {{8, WindowLimit::pool_full}}},
                                                 {.submitter = submitter(4), .window = {{2, WindowLimit::pool_full}}},
                                                 {.submitter = fixed}};
    const auto rules = [&](const SubmitterId& one) { return one == fixed ? WindowRules(64) : WindowRules{}; };
    EXPECT_THAT(window_readings(backlogs, rules), ElementsAre(GaugeReading{Gauge::window_lanes, "demand", 2},         //
                                                              GaugeReading{Gauge::window_lanes, "ceiling", 1},        //
                                                              GaugeReading{Gauge::window_lanes, "pool_full", 2},      //
                                                              GaugeReading{Gauge::window_lanes, "account_limit", 0},  //
                                                              GaugeReading{Gauge::window_lanes, "absent", 0},         //
                                                              GaugeReading{Gauge::window_lanes, "delegated", 0},      //
                                                              GaugeReading{Gauge::window_nonces, "demand", 272},      //
                                                              GaugeReading{Gauge::window_smallest, "demand", 16},     //
                                                              GaugeReading{Gauge::window_nonces, "ceiling", 64},      //
                                                              GaugeReading{Gauge::window_smallest, "ceiling", 64},    //
                                                              GaugeReading{Gauge::window_nonces, "pool_full", 10},    //
                                                              GaugeReading{Gauge::window_smallest, "pool_full", 2}));
}

RC_GTEST_PROP(GaugesProperty, BoundingKeepsTheSum, (const std::vector<std::uint16_t>& values)) {
    std::vector<GaugeReading> readings;
    double sum = 0;
    for (const auto value : values) {
        readings.push_back({Gauge::pending_transactions, std::to_string(readings.size()), double(value)});
        sum += value;
    }
    const auto kept = bounded(readings, 3);
    RC_ASSERT(kept.size() == std::min<std::size_t>(values.size(), 4));
    double kept_sum = 0;
    for (const auto& reading : kept)
        kept_sum += reading.value;
    RC_ASSERT(kept_sum == sum);
}

}  // namespace
}  // namespace fencepost::telemetry
