// Which node serves which submitter, while nodes come, flap and lack keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cluster_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Each;
using ::testing::Gt;

std::vector<FenceToken> tokens(const ClusterScenario& scenario) {
    std::vector<FenceToken> tokens;
    for (const auto& submitter : scenario.submitters)
        tokens.push_back(scenario.token(submitter));
    return tokens;
}

void expect_placed(const ClusterScenario& scenario, const std::vector<Member*>& members) {
    for (const auto& submitter : scenario.submitters)
        EXPECT_EQ(scenario.owner(submitter), scenario.placed_on(submitter, members)) << submitter.to_string();
}

TEST(ClusterPlacement, SubmitterStaysOnItsNodeWhileMembershipIsStable) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b", "c"});
    scenario.accept_for_all(*members[0]);
    scenario.run_for(2s);
    expect_placed(scenario, members);
    const auto before = tokens(scenario);
    scenario.keep_accepting(members, 1min);
    expect_placed(scenario, members);
    EXPECT_EQ(tokens(scenario), before) << "no lane was reopened";
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterPlacement, JoiningNodeGetsItsShareUnderTrafficWithoutResends) {
    ClusterScenario scenario(24);
    auto members = scenario.join_all({"a", "b"});
    scenario.accept_for_all(*members[0]);
    scenario.keep_accepting(members, 10s);
    expect_placed(scenario, members);
    const auto before = tokens(scenario);
    members.push_back(&scenario.join("c"));
    scenario.keep_accepting(members, 15s);
    expect_placed(scenario, members);
    EXPECT_GT(scenario.owned_by(*members[2]), 2U);
    const auto after = tokens(scenario);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const bool moved = scenario.owner(scenario.submitters[i]) == members[2]->id();
        EXPECT_EQ(after[i].value() - before[i].value(), moved ? 1U : 0U) << "only the new node's lanes have moved";
    }
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
    for (const auto& tx : scenario.all())
        EXPECT_EQ(scenario.times_sent(tx.hash.value()), 1U);
}

TEST(ClusterPlacement, FlappingNodeMovesNoLane) {
    ClusterScenario scenario;
    auto members = scenario.join_all({"a", "b"});
    scenario.accept_for_all(*members[0]);
    scenario.run_for(2s);
    auto& flapping = scenario.join("c");
    members.push_back(&flapping);
    flapping.records().lose_heartbeats(true);
    scenario.run_for(7s);
    const auto before = tokens(scenario);
    for (int i = 0; i < 20; ++i) {
        flapping.records().lose_heartbeats(false);
        scenario.keep_accepting({members[0], members[1]}, 1s);
        flapping.records().lose_heartbeats(true);
        scenario.keep_accepting({members[0], members[1]}, 6s);
    }
    EXPECT_EQ(tokens(scenario), before) << "a briefly seen node is not stable";
    flapping.records().lose_heartbeats(false);
    scenario.keep_accepting(members, 10s);
    expect_placed(scenario, members);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterPlacement, AnotherNodeStandsInForANodeWithoutKeys) {
    ClusterScenario scenario;
    auto& keyless = scenario.join("a", {.has_keys = false});
    auto& able = scenario.join("b");
    scenario.run_for(5s);
    scenario.accept_for_all(keyless);
    scenario.run_for(3s);
    const auto at_once = scenario.owned_by(able);
    EXPECT_GT(at_once, 0U);
    EXPECT_LT(at_once, scenario.submitters.size()) << "some wait for their first-ranked node";
    scenario.run_for(10s);
    EXPECT_EQ(scenario.owned_by(able), scenario.submitters.size());
    const auto before = tokens(scenario);
    scenario.keep_accepting({&keyless, &able}, 1min);
    EXPECT_EQ(tokens(scenario), before);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterPlacement, IdleLaneIsReleasedAndReopened) {
    ClusterScenario scenario(2);
    const auto members = scenario.join_all({"a", "b"});
    scenario.accept_for_all(*members[0]);
    scenario.run_for(1s);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.get(scenario.store->unfinished_submitters())->empty(); }));
    scenario.run_for(20s);
    expect_placed(scenario, members);
    scenario.run_for(15s);
    for (const auto& submitter : scenario.submitters)
        EXPECT_EQ(scenario.owner(submitter), std::nullopt) << "idle for half a minute";
    EXPECT_THAT(tokens(scenario), Each(Gt(FenceToken(0)))) << "the row stays";
    scenario.accept_for_all(*members[1]);
    scenario.run_for(500ms);
    expect_placed(scenario, members);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterPlacement, SingleNodeRetriesAtOnce) {
    ClusterScenario scenario(2);
    auto& alone = *scenario.join_all({"a"})[0];
    alone.chain().cut_off(true);
    scenario.accept_for_all(alone);
    scenario.run_for(10min);
    alone.chain().cut_off(false);
    ASSERT_TRUE(scenario.run_until_settled(1min));
    scenario.expect_lawful();
}

TEST(ClusterPlacement, WarnsAboutWorkWithoutAKeyOnAnyNode) {
    ClusterScenario scenario(1);
    auto& keyless = scenario.join("a", {.has_keys = false});
    scenario.accept_for_all(keyless);
    scenario.run_for(50s);
    EXPECT_EQ(scenario.log.count(Severity::warning, "No node serves"), 0U);
    scenario.run_for(1h);
    EXPECT_EQ(scenario.log.count(Severity::warning, "No node serves"), 1U);
}

TEST(ClusterPlacement, ExceptionInAHeartbeatOrPollEndsOnlyThatRound) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b"});
    members[0]->records().throw_once();
    scenario.run_for(3s);
    EXPECT_TRUE(scenario.log.has(Severity::alert, "an injected error in the heartbeat")) << scenario.log.text();
    EXPECT_TRUE(scenario.log.has(Severity::alert, "an injected error in the poll")) << scenario.log.text();
    scenario.accept_for_all(*members[1]);
    scenario.run_for(3s);
    expect_placed(scenario, members);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
