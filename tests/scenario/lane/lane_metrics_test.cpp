// Metrics and logs of a node: the required metrics, and one line per critical write.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::Not;
using ::testing::SizeIs;

TEST(LaneMetrics, TimesEachStepOnce) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, 3);
    ASSERT_TRUE(scenario.run_until_settled());
    const auto& told = scenario.telemetry;
    EXPECT_THAT(told.of(Latency::accept_to_send), AllOf(SizeIs(3), Each(Lt(5s))));
    EXPECT_THAT(told.of(Latency::accept_to_mined), AllOf(SizeIs(3), Each(Lt(10s))));
    EXPECT_THAT(told.of(Latency::accept_to_final), AllOf(SizeIs(3), Each(Ge(6s)))) << "three blocks above its own";
    EXPECT_THAT(told.of(Latency::receipt_query), Not(IsEmpty()));
    EXPECT_THAT(told.of(Latency::database_write), Not(IsEmpty()));
    EXPECT_EQ(told.of(Size::lane_batch).size(), told.of(Latency::database_write).size());
    EXPECT_THAT(told.of(Size::send_batch), Not(IsEmpty()));
}

TEST(LaneMetrics, NewOwnerMeasuresFromAcceptance) {
    LaneScenario scenario;
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::tracking; }));
    scenario.kill(first);
    scenario.run_for(1min);
    scenario.set_mining(true);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_THAT(scenario.telemetry.of(Latency::accept_to_mined), AllOf(SizeIs(1), Each(Ge(1min))));
    EXPECT_THAT(scenario.telemetry.of(Latency::accept_to_final), AllOf(SizeIs(1), Each(Ge(1min))));
}

TEST(LaneMetrics, CountsNoncesAndThroughputPerSubmitter) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice, 3);
    scenario.accept(scenario.bob, 2);
    ASSERT_TRUE(scenario.run_until_settled());
    const auto& told = scenario.telemetry;
    for (const auto& [submitter, count] : {std::pair(scenario.alice, 3U), std::pair(scenario.bob, 2U)}) {
        const auto name = submitter.to_string();
        EXPECT_EQ(told.of(Counter::nonce_allocated, name), count);
        EXPECT_EQ(told.of(Counter::nonce_used, name), count);
        EXPECT_EQ(told.of(Counter::nonce_recycled, name), 0U);
        EXPECT_EQ(told.of(Counter::tx_settled, name), count);
    }
}

TEST(LaneMetrics, CountsTakeoversFailedRenewalsAndTokenJumps) {
    LaneScenario scenario;
    auto& first = scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.telemetry.of(Counter::lease_token_jump), 0U);
    first.store().set_fault(StoreFault::unreachable);
    scenario.run_for(30s);
    EXPECT_GE(scenario.telemetry.of(Counter::lease_renew_failure, "unavailable"), 1U);
    auto& second = scenario.start("b");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::confirmed; }));
    EXPECT_EQ(scenario.telemetry.of(Counter::lease_acquire, "taken_over"), 1U);
    scenario.kill(second);
    first.store().set_fault(StoreFault::none);
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_GE(scenario.telemetry.of(Counter::lease_token_jump), 1U) << "b held it in between";
}

TEST(LaneMetrics, CountsUnansweredRenewals) {
    LaneScenario scenario;
    scenario.set_mining(false);
    auto& node = scenario.start("a");
    scenario.accept(scenario.alice);
    scenario.run_for(2s);
    node.store().hang_next_renewal();
    scenario.run_for(10s);
    EXPECT_EQ(scenario.telemetry.of(Counter::lease_renew_failure, "no_answer"), 1U);
}

// The mandatory part of the log line of this write.
std::string line_of(const std::string& submitter, const std::string& tx, const Fence& fence) {
    return fmt::format("Written under the fence submitter={} txId={} nodeId={} fencingToken={} what=", submitter, tx,
                       fence.node.value(), fence.token);
}

void expect_lines(const LaneScenario& scenario, Node& node) {
    for (const auto& [write, answer] : node.store().written()) {
        if (answer != WriteAnswer::applied) continue;
        const auto submitter = write.submitter.to_string();
        for (const auto& update : write.transactions) {
            const auto line = line_of(submitter, fmt::format("{}", update.tx), write.fence);
            const auto what = fmt::format("{}{}", line, fmt::format("{}", update.expected));
            EXPECT_GE(scenario.log.count(Severity::debug, what), 1U) << what;
        }
        if (write.cursor)
            EXPECT_TRUE(scenario.log.has(
                Severity::debug,
                fmt::format("{}next nonce {}", line_of(submitter, "-", write.fence), write.cursor->next)));
    }
}

TEST(LaneWriteLog, CriticalWriteLogsSubmitterTransactionNodeAndToken) {
    LaneScenario scenario;
    scenario.log.keep_all();
    auto& first = scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 2);
    scenario.accept(scenario.bob);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(ids[0]).receipt.has_value(); }));
    scenario.kill(first);
    auto& second = scenario.start("b");
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.post(CommandKind::pause, scenario.alice);
    scenario.run_for(5s);
    std::size_t written = 0;
    for (auto* node : {&first, &second}) {
        expect_lines(scenario, *node);
        for (const auto& [write, answer] : node->store().written())
            written += answer == WriteAnswer::applied ? write.transactions.size() : 0;
    }
    const auto lease = *scenario.submitter(scenario.alice).lease;
    const Fence fence{lease.owner, lease.token};
    const auto about_submitter = line_of(scenario.alice.to_string(), "-", fence);
    EXPECT_TRUE(scenario.log.has(Severity::info, about_submitter + "the lease: taken_over"));
    EXPECT_TRUE(scenario.log.has(Severity::debug, about_submitter + "the lease: renewed"));
    EXPECT_TRUE(scenario.log.has(Severity::debug, about_submitter + "PAUSED, command 1 done"));
    EXPECT_GT(written, 8U);
    EXPECT_GE(scenario.log.count(Severity::debug, "Written under the fence"), written);
    EXPECT_EQ(scenario.log.count(Severity::debug, "fencingToken= "), 0U);
}

TEST(LaneWriteLog, FormatsNothingIfDebugIsDisabled) {
    LaneScenario scenario;
    scenario.start("a");
    scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.log.count(Severity::debug, ""), 0U);
}

}  // namespace
}  // namespace fencepost::scenario
