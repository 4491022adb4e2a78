// A node that cannot work with a chain or a signer hands its lanes to one that can, and keeps them where none can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cluster_scenario.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::IsEmpty;

// Two nodes with work in flight on both.
struct BusyPair : ClusterScenario {
    BusyPair() : ClusterScenario(8) {
        const auto members = join_all({"a", "b"});
        a = members[0];
        b = members[1];
        accept_for_all(*a);
        run_for(3s);
        EXPECT_GT(owned_by(*a), 0U);
        EXPECT_GT(owned_by(*b), 0U);
    }
    /// How often any lane was reopened.
    [[nodiscard]] std::map<SubmitterId, std::uint64_t> tokens() const {
        std::map<SubmitterId, std::uint64_t> all;
        for (const auto& submitter : submitters)
            all[submitter] = token(submitter).value();
        return all;
    }
    [[nodiscard]] std::uint64_t most_raises_since(const std::map<SubmitterId, std::uint64_t>& before) const {
        std::uint64_t most = 0;
        for (const auto& [submitter, token_now] : tokens())
            most = std::max(most, token_now - before.at(submitter));
        return most;
    }
    [[nodiscard]] bool all_on(const Member& member) const { return owned_by(member) == submitters.size(); }
    [[nodiscard]] bool was_alerted() const {
        return std::ranges::any_of(cluster_alerts,
                                   [](const auto& alert) { return alert.kind == AlertKind::no_able_node; });
    }
    [[nodiscard]] const Ability& chain_of(const Member& member) const {
        return member.ability().chains.at(submitters.front().chain()).ability;
    }
    /// An intent per interval, each at another node and for another submitter. With eight submitters an interval of 5 s
    /// is long enough for undisturbed lanes to be released as idle.
    void trickle(const std::vector<Member*>& at, Duration duration, Duration pause = 5s) {
        for (std::size_t i = 0; static_cast<int>(i) * pause < duration; ++i) {
            at[i % at.size()]->accept(intent(submitters[i % submitters.size()]));
            run_for(pause);
        }
    }
    void expect_settled_lawfully() {
        ASSERT_TRUE(run_until_settled());
        expect_lawful();
    }

    Member* a = nullptr;
    Member* b = nullptr;
};

TEST(ClusterAbility, Failure38HandsOverLanesWhenTheChainIsLostAfterOpening) {
    BusyPair scenario;
    scenario.cut_from_chain(*scenario.a);
    scenario.accept_for_all(*scenario.b);
    scenario.run_for(10s);
    EXPECT_GT(scenario.owned_by(*scenario.a), 0U) << "an outage may be short";
    ASSERT_TRUE(scenario.run_until([&] { return scenario.all_on(*scenario.b); }, 25s));
    EXPECT_EQ(scenario.chain_of(*scenario.a).cause, AbilityCause::no_head);
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Chain not usable"));
    const auto before = scenario.tokens();
    scenario.trickle({scenario.a, scenario.b}, 3min, 1s);
    EXPECT_EQ(scenario.tokens(), before) << "and they stay there";
    EXPECT_TRUE(scenario.all_on(*scenario.b));
    EXPECT_THAT(scenario.cluster_alerts, IsEmpty());
    scenario.expect_settled_lawfully();
}

TEST(ClusterAbility, Failure38HandsOverLanesWhenTheSignerIsLost) {
    BusyPair scenario;
    const auto had = scenario.owned_by(*scenario.a);
    scenario.a->signer().set_away(true);
    scenario.keep_accepting({scenario.a, scenario.b}, 45s);
    EXPECT_TRUE(scenario.all_on(*scenario.b));
    EXPECT_EQ(scenario.a->ability().signers.size(), had);
    EXPECT_TRUE(scenario.chain_of(*scenario.a).is_able()) << "its chain is fine";
    scenario.expect_settled_lawfully();
}

TEST(ClusterAbility, LanesReturnWhenTheirNodeIsAbleAgain) {
    BusyPair scenario;
    scenario.cut_from_chain(*scenario.a);
    scenario.keep_accepting({scenario.b}, 40s);
    ASSERT_TRUE(scenario.all_on(*scenario.b));
    scenario.cut_from_chain(*scenario.a, false);
    scenario.keep_accepting({scenario.b}, 25s);
    EXPECT_TRUE(scenario.all_on(*scenario.b)) << "not before it has succeeded for a while";
    scenario.trickle({scenario.b}, 1min);
    for (const auto& submitter : scenario.submitters)
        EXPECT_EQ(scenario.owner(submitter), scenario.placed_on(submitter, {scenario.a, scenario.b}));
    scenario.expect_settled_lawfully();
}

TEST(ClusterAbility, Failure38KeepsLeasesAndAlertsIfNoNodeReachesTheChain) {
    BusyPair scenario;
    const auto before = scenario.tokens();
    scenario.cut_from_chain(*scenario.a);
    scenario.cut_from_chain(*scenario.b);
    scenario.accept_for_all(*scenario.b);
    scenario.run_for(10min);
    EXPECT_LE(scenario.most_raises_since(before), 3U);
    EXPECT_EQ(scenario.owned_by(*scenario.a) + scenario.owned_by(*scenario.b), scenario.submitters.size());
    EXPECT_TRUE(scenario.was_alerted());
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Lease kept"));
    scenario.cut_from_chain(*scenario.b, false);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.all_on(*scenario.b); }, 2min));
    scenario.expect_settled_lawfully();
}

TEST(ClusterAbility, KeepsLeasesIfNoNodeReachesTheChainAtOpening) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b"});
    for (auto* member : members)
        scenario.cut_from_chain(*member);
    scenario.accept_for_all(*members[0]);
    scenario.run_for(10min);
    for (const auto& submitter : scenario.submitters)
        EXPECT_LE(scenario.token(submitter), FenceToken(3));
    scenario.cut_from_chain(*members[1], false);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(ClusterAbility, Failure38LanesMoveAtMostThreeTimesIfNoSignerAnswers) {
    BusyPair scenario;
    const auto before = scenario.tokens();
    scenario.a->signer().set_away(true);
    scenario.b->signer().set_away(true);
    scenario.trickle({scenario.a, scenario.b}, 10min);
    EXPECT_LE(scenario.most_raises_since(before), 3U);
    EXPECT_TRUE(scenario.was_alerted());
    scenario.b->signer().set_away(false);
    // A node without lanes cannot detect that its signer is back: it retries after the second back-off.
    ASSERT_TRUE(scenario.run_until_settled(15min));
    scenario.expect_lawful();
}

TEST(ClusterAbility, HaltedChainMovesNoLane) {
    BusyPair scenario;
    const auto before = scenario.tokens();
    scenario.set_mining(false);
    scenario.accept_for_all(*scenario.a);
    scenario.run_for(10min);
    EXPECT_EQ(scenario.tokens(), before);
    EXPECT_TRUE(scenario.was_alerted()) << "pending work is on hold";
}

TEST(ClusterAbility, NodeWithoutAnswersAtOpeningHandsOverItsLanes) {
    ClusterScenario scenario;
    const auto members = scenario.join_all({"a", "b"});
    members[0]->chain().cut_off(true);
    scenario.accept_for_all(*members[1]);
    scenario.run_for(5s);
    ASSERT_GT(scenario.owned_by(*members[0]), 0U) << "an outage may be short";
    scenario.run_for(20s);
    EXPECT_EQ(scenario.owned_by(*members[1]), scenario.submitters.size());
    EXPECT_EQ(members[0]->ability().chains.begin()->second.ability.cause, AbilityCause::no_answer);
    scenario.keep_accepting(members, 1min);
    EXPECT_EQ(scenario.owned_by(*members[1]), scenario.submitters.size()) << "and they stay there";
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

// Nine in ten calls of both nodes get no answer.
TEST(ClusterAbility, UnreliableEndpointsMoveFewLanes) {
    BusyPair scenario;
    const auto before = scenario.tokens();
    for (const auto& endpoint : scenario.network.endpoints())
        endpoint->options().faults = {.unreachable = 900};
    scenario.trickle({scenario.a, scenario.b}, 10min);
    EXPECT_LE(scenario.most_raises_since(before), 3U);
    for (const auto& endpoint : scenario.network.endpoints())
        endpoint->options().faults = {};
    scenario.expect_settled_lawfully();
}

}  // namespace
}  // namespace fencepost::scenario
