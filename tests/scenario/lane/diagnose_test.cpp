// The diagnosis of overdue transactions: recorded in the history if enabled, and never used as proof.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/hex.hpp"
#include "support/lane_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const lane::LaneOptions diagnosing{.confirmations_required = 3, .resubmit_interval = 5s, .diagnose = true};

// The last diagnosis; empty if there is none.
std::string diagnosis(const LaneScenario& scenario, TxId tx) {
    std::string last;
    for (const auto& entry : scenario.history(tx))
        if (entry.step.kind == HistoryKind::diagnosed) last = entry.step.detail;
    return last;
}

bool run_until_told(LaneScenario& scenario, TxId tx, const std::string& likely) {
    return scenario.run_until([&] { return diagnosis(scenario, tx).starts_with(likely); }, 1min);
}

std::vector<TxId> put_in_flight(LaneScenario& scenario, std::size_t count) {
    scenario.set_mining(false);
    scenario.start("a");
    auto txs = scenario.accept(scenario.alice, count);
    EXPECT_TRUE(scenario.run_until(
        [&] { return std::ranges::all_of(txs, [&](TxId tx) { return scenario.state(tx) == State::tracking; }); }));
    return txs;
}

// The pools evict the lowest nonce, and refuse it afterwards.
void lose(LaneScenario& scenario, TxId tx) {
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    scenario.network.evict(*scenario.view(tx).hash);
}

TEST(LaneDiagnose, Failure10DiagnosisNamesTheLowestMissingNonce) {
    LaneScenario scenario({.lane = diagnosing});
    const auto txs = put_in_flight(scenario, 3);
    lose(scenario, txs[0]);
    ASSERT_TRUE(run_until_told(scenario, txs[0], "lost")) << diagnosis(scenario, txs[0]);
    EXPECT_THAT(diagnosis(scenario, txs[0]),
                HasSubstr("nonce 0 is missing from every endpoint's pool; 1–2 are blocked by it; re-sending 0"));
    EXPECT_THAT(diagnosis(scenario, txs[2]), HasSubstr("gap_below: nonce 2 is blocked by nonce 0"));
    for (auto* endpoint : {&scenario.one, &scenario.two})
        endpoint->refuse_sends(std::nullopt);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneDiagnose, IsOffByDefault) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 5s}});
    const auto txs = put_in_flight(scenario, 1);
    lose(scenario, txs[0]);
    scenario.run_for(1min);
    EXPECT_EQ(diagnosis(scenario, txs[0]), "");
}

TEST(LaneDiagnose, DiagnosisReportsTheMissingFee) {
    LaneScenario scenario({.lane = diagnosing});
    const auto txs = put_in_flight(scenario, 1);
    scenario.network.ledger().set_next_base_fee(Wei(Uint256(1'000 * gwei)));
    scenario.network.mine();
    ASSERT_TRUE(run_until_told(scenario, txs[0], "underpriced")) << diagnosis(scenario, txs[0]);
    EXPECT_THAT(diagnosis(scenario, txs[0]), HasSubstr("wei per gas below the base fee"));
}

TEST(LaneDiagnose, ExternalTxInAPoolIsReportedAndProvesNothing) {
    LaneScenario scenario({.lane = diagnosing});
    const auto txs = put_in_flight(scenario, 1);
    const auto foreign = scenario.sign_externally(scenario.alice, Nonce(0), 50);
    ASSERT_TRUE(is_held(scenario.network.inject(foreign.raw).outcome));
    ASSERT_TRUE(run_until_told(scenario, txs[0], "foreign_in_slot")) << diagnosis(scenario, txs[0]);
    EXPECT_THAT(diagnosis(scenario, txs[0]), HasSubstr(to_hex_prefixed(foreign.hash.view())));
    EXPECT_EQ(scenario.state(txs[0]), State::tracking);
    EXPECT_EQ(scenario.submitter(scenario.alice).status.status, SubmitterStatus::active);
}

TEST(LaneDiagnose, UnchangedDiagnosisIsRecordedOnce) {
    LaneScenario scenario({.lane = diagnosing});
    const auto txs = put_in_flight(scenario, 1);
    scenario.run_for(5min);
    EXPECT_THAT(diagnosis(scenario, txs[0]), StartsWith("in_pool"));
    const auto steps = scenario.history(txs[0]);
    EXPECT_EQ(std::ranges::count(steps, HistoryKind::diagnosed, [](const auto& entry) { return entry.step.kind; }), 1);
}

TEST(LaneDiagnose, NoDiagnosisWithoutAnswers) {
    LaneScenario scenario({.lane = diagnosing});
    const auto txs = put_in_flight(scenario, 1);
    scenario.one.set_down(true);
    scenario.two.set_down(true);
    scenario.run_for(2min);
    EXPECT_EQ(diagnosis(scenario, txs[0]), "");
}

}  // namespace
}  // namespace fencepost::scenario
