#include "sim/simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace fencepost::sim {
namespace {

RunReport run(std::uint64_t seed, Mutant mutant = Mutant::none) {
    auto settings = Settings::from_seed(seed);
    settings.enable_mutant(mutant);
    return simulate(settings);
}

std::string to_text(const RunReport& report) {
    if (!report.violation) return {};
    return report.settings + report.violation->law + ": " + report.violation->what;
}

TEST(Simulation, BreaksNoLawUnderAnyFault) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        EXPECT_EQ(to_text(run(seed)), "");
}

TEST(Simulation, BreaksNoLawWithSharedKeys) {
    Counts sum;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto settings = Settings::from_seed(seed);
        settings.share_keys(std::chrono::seconds(10));
        settings.workload.refused_percent = 10;
        const auto report = simulate(settings);
        EXPECT_EQ(to_text(report), "");
        for (const auto& [name, count] : report.counts)
            sum[name] += count;
    }
    for (const auto* seen : {"transactions of the other system", "nonce_recycled_total{}", "reconcile_total{aligned}"})
        EXPECT_GT(sum[seen], 0U) << seen;
    EXPECT_EQ(sum["submitters stopped"], 0U);
}

// A nonce gap forms when we recycle a nonce, the other system takes it, we allocate past it, and its transaction is
// lost. In some of these runs the window is full of transactions that wait behind the gap.
TEST(Simulation, LeavesNoNonceGapBelowItsTransactions) {
    std::uint64_t blocked = 0;
    for (std::uint64_t seed = 55; seed <= 66; ++seed) {
        auto settings = Settings::from_seed(seed);
        settings.enable_mutant(Mutant::shared_nonce_gap_left_open);
        settings.mutant = Mutant::none;
        auto report = simulate(settings);
        EXPECT_EQ(to_text(report), "");
        blocked += report.counts["recycled nonces blocked"];
    }
    EXPECT_GT(blocked, 0U);
}

TEST(Simulation, BreaksNoLawWithASharedConnectorKey) {
    Counts sum;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto settings = Settings::from_seed(seed);
        settings.share_keys(std::chrono::seconds(10));
        settings.connector = {.abilities = {.hash_recomputation = seed % 2 == 0, .query_by_nonce = false},
                              .faults = {.requests_lost = 100, .answers_lost = 100, .unacknowledged_sends = 50}};
        const auto report = simulate(settings);
        EXPECT_EQ(to_text(report), "");
        for (const auto& [name, count] : report.counts)
            sum[name] += count;
    }
    for (const auto* seen : {"transactions of the other system", "requests to a connector"})
        EXPECT_GT(sum[seen], 0U) << seen;
}

// One node stays broken until the end: the others finish its work.
TEST(Simulation, Failure38SettlesWhenOneNodeLosesChainOrSigner) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        auto settings = Settings::from_seed(seed);
        settings.nodes = std::max<std::size_t>(settings.nodes, 2);
        settings.skews.resize(settings.nodes);
        settings.faults.permanent_fault = seed % 2 == 0 ? PermanentFault::chain : PermanentFault::signer;
        settings.settling_limit += std::chrono::minutes(10);
        EXPECT_EQ(to_text(simulate(settings)), "");
    }
}

// When every node is broken for a while, lanes stay where they are.
TEST(Simulation, Failure38LanesDoNotMoveWhileNoNodeCanWork) {
    Counts sum;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
        auto settings = Settings::from_seed(seed);
        settings.nodes = 2;
        settings.skews.resize(settings.nodes);
        settings.plan_common_outage(
            std::array{CommonOutage::chain, CommonOutage::signer, CommonOutage::answers}.at(seed % 3));
        const auto report = simulate(settings);
        EXPECT_EQ(to_text(report), "");
        for (const auto& [name, count] : report.counts)
            sum[name] += count;
    }
    for (const auto* seen : {"outages of the chain for all nodes", "outages of the signer for all nodes",
                             "periods in which all endpoints answer one call in ten"})
        EXPECT_EQ(sum[seen], 3U) << seen;
    EXPECT_GT(sum["alerts of NO_ABLE_NODE"], 0U);
}

TEST(Simulation, IsAFunctionOfItsSeed) {
    const auto first = run(4);
    const auto again = run(4);
    EXPECT_EQ(first.trace_hash, again.trace_hash);
    EXPECT_EQ(first.counts, again.counts);
    EXPECT_NE(first.trace_hash, run(5).trace_hash);
}

TEST(Simulation, InjectsEveryFault) {
    Counts sum;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        for (const auto& [name, count] : run(seed).counts)
            sum[name] += count;
    }
    for (const auto* fault : {"crashes",
                              "graceful shutdowns",
                              "pauses",
                              "clock jumps",
                              "partitions",
                              "database outages",
                              "endpoint outages",
                              "lagging endpoints",
                              "evictions",
                              "reorgs",
                              "reorgs beyond the required depth",
                              "fee spikes",
                              "external uses of a key",
                              "endpoints that refuse every send permanently",
                              "transactions of the other system",
                              "nodes that lost their chain permanently",
                              "nodes that lost their signer permanently",
                              "endpoints that answer one call in ten",
                              "requests to a connector",
                              "requests retried",
                              "requests sent to two nodes",
                              "database slow",
                              "database requests_lost",
                              "database answers_lost",
                              "database commits_late",
                              "database commits_after_node_death",
                              "database serialization_failures",
                              "database cut_off",
                              "sends lost",
                              "sends timed_out_after_arriving",
                              "sends rate_limited",
                              "sends duplicated",
                              "sends unreachable",
                              "reads timed_out",
                              "reads rate_limited",
                              "reads refused",
                              "reads unreachable",
                              "wake-ups lost",
                              "commands to pause",
                              "commands to cancel",
                              "commands to speed_up",
                              "commands to requeue"})
        EXPECT_GT(sum[fault], 0U) << fault;
}

TEST(Simulation, RecordsATimelineWithoutChangingTheRun) {
    const auto guilty = run(1, Mutant::final_at_depth_zero);
    ASSERT_TRUE(guilty.violation && std::holds_alternative<TxId>(guilty.violation->subject));
    Timeline timeline(guilty.violation->subject);
    auto settings = Settings::from_seed(1);
    settings.enable_mutant(Mutant::final_at_depth_zero);
    EXPECT_EQ(simulate(settings, &timeline).trace_hash, guilty.trace_hash);
    ASSERT_GT(timeline.lines().size(), 3U);
    EXPECT_NE(timeline.lines().front().find("accepted for"), std::string::npos);
    EXPECT_NE(timeline.lines().back().find("CONFIRMED"), std::string::npos);
}

// A base fee that no amount can hold: the first node that reads it stops the process.
TEST(Simulation, FailedAssertionPrintsTheReplayCommand) {
    auto settings = Settings::from_seed(1);
    settings.commit = "abc";
    settings.network.ledger.base_fee = Wei(Uint256::max());
    EXPECT_DEATH(static_cast<void>(simulate(settings)),
                 "in simulator seed 1, commit abc, at .* virtual seconds\n  replay: fencepost-sim --seed 1");
}

class BrokenRule : public testing::TestWithParam<Mutant> {};

// Breaks each rule on purpose; a checker must report it within a few runs (the rarest shows up in one run of forty).
// `script/sim --mutants` shows which checker reports which rule.
TEST_P(BrokenRule, IsNoticed) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const auto report = run(seed, GetParam());
        if (report.violation && is_breach_of(GetParam(), report.violation->law)) return;
    }
    FAIL() << name_of(GetParam()) << " was not reported";
}

std::vector<Mutant> all_mutants() {
    std::vector<Mutant> mutants;
    for (const auto& [mutant, name] : enum_names<Mutant>) {
        if (mutant != Mutant::none) mutants.push_back(mutant);
    }
    return mutants;
}

INSTANTIATE_TEST_SUITE_P(Each, BrokenRule, testing::ValuesIn(all_mutants()),
                         [](const auto& each) { return std::string(name_of(each.param)); });

}  // namespace
}  // namespace fencepost::sim
