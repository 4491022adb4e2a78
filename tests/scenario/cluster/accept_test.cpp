// Any node accepts any request, at the cost of a few milliseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cluster_scenario.hpp"

namespace fencepost::scenario {
namespace {

// Submits an intent for each submitter to a node that does not have its lane; returns the longest time until a send.
Duration slowest_send(ClusterScenario& scenario, const std::vector<Member*>& members) {
    std::vector<std::pair<TxId, Instant>> handed_in;
    for (const auto& submitter : scenario.submitters) {
        auto intent = scenario.intent(submitter);
        const auto owner = scenario.placed_on(submitter, members);
        auto* const at = *std::ranges::find_if(members, [&](const auto* member) { return member->id() != owner; });
        handed_in.emplace_back(intent.id, scenario.world.now());
        at->accept(std::move(intent));
        scenario.run_for(137ms);  // at a different phase of the polls each time
    }
    EXPECT_TRUE(scenario.run_until_settled());
    Duration slowest{};
    for (const auto& [id, at] : handed_in)
        slowest = std::max(slowest, Duration(scenario.first_sent(id).value() - at));
    return slowest;
}

TEST(ClusterAccept, WakesTheOwnerWhenAnotherNodeAccepts) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b", "c"});
    EXPECT_LT(slowest_send(scenario, members), 400ms) << "no lane is open yet";
    EXPECT_LT(slowest_send(scenario, members), 400ms) << "every lane is open";
    scenario.expect_lawful();
}

// By placement the lane belongs to the new node, which does not know it: lanes without work are not polled. Its owner
// keeps it until the new node is stable.
TEST(ClusterAccept, HigherRankedNodeWakesTheOwnerOfAnIdleLane) {
    // Polling finds no work.
    ClusterScenario scenario(
        12, {.lane = {.confirmations_required = 3, .poll_interval = 1min, .full_scan_interval = 1min}});
    auto members = scenario.join_all({"a"});
    scenario.accept_for_all(*members[0]);
    scenario.run_for(1s);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.get(scenario.store->unfinished_submitters())->empty(); }));
    members.push_back(&scenario.join("b"));
    scenario.run_for(1500ms);
    const auto first_on_b = std::ranges::find_if(scenario.submitters, [&](const auto& submitter) {
        return scenario.placed_on(submitter, members) == members[1]->id();
    });
    ASSERT_NE(first_on_b, scenario.submitters.end());
    ASSERT_TRUE(members[1]->is_home_of(*first_on_b)) << "otherwise it would announce it anyway";
    for (int round = 0; round < 3; ++round) {
        auto intent = scenario.intent(*first_on_b);
        const auto id = intent.id;
        members[1]->accept(std::move(intent));
        scenario.run_for(300ms);
        EXPECT_TRUE(scenario.first_sent(id)) << "of those accepted before the next look, number " << round;
    }
    EXPECT_EQ(scenario.owner(*first_on_b), members[0]->id());
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterAccept, ExecutesWorkWithoutWakeUps) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b", "c"});
    scenario.wakeups.lose_one_in(1);
    const auto slowest = slowest_send(scenario, members);
    EXPECT_GT(slowest, 500ms) << "otherwise the wake-ups of the other test had no effect";
    EXPECT_LT(slowest, 3s) << "the owner polls";
    EXPECT_GT(scenario.wakeups.lost(), 0U);
    scenario.expect_lawful();
}

TEST(ClusterAccept, WakeUpsDoNotMakeEveryNodePoll) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b", "c"});
    scenario.accept_for_all(*members[0]);
    scenario.run_for(2s);
    const auto before = members[0]->records().looks();
    scenario.keep_accepting(members, 30s);
    EXPECT_LE(members[0]->records().looks() - before, 32U) << "only the lane's owner is woken";
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

// Every request goes to all nodes at once, as impatient clients and balancers send it.
TEST(ClusterAccept, ConcurrentAcceptanceOnSeveralNodesIsIdempotent) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b", "c"});
    constexpr std::size_t rounds = 10;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (const auto& submitter : scenario.submitters) {
            for (auto* member : members)
                member->accept(scenario.intent(submitter, "request-" + std::to_string(round)));
        }
        scenario.run_for(300ms);
    }
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.all().size(), rounds * scenario.submitters.size());
    for (std::size_t i = 0; i < rounds * scenario.submitters.size(); ++i) {
        std::size_t accepted = 0;
        for (auto* member : members)
            accepted += member->answers().at(i).kind == AcceptKind::accepted ? 1U : 0U;
        EXPECT_EQ(accepted, 1U) << "the other nodes report it as known";
    }
    scenario.expect_lawful();
}

TEST(ClusterAccept, AnyNodeAcceptsAnyRequestThroughCrashesAndJoins) {
    ClusterScenario scenario(8);
    auto members = scenario.join_all({"a", "b", "c"});
    for (int round = 0; round < 5; ++round) {
        scenario.keep_accepting(members, 5s);
        scenario.kill(*members.front());
        members.erase(members.begin());
        members.push_back(&scenario.join("again"));
        scenario.keep_accepting(members, 5s);
    }
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

}  // namespace
}  // namespace fencepost::scenario
