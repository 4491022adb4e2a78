// Lanes move to another node only after a release or an expiry of the lease.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cluster_scenario.hpp"

namespace fencepost::scenario {
namespace {

// Two nodes with work in flight on both.
struct Pair : ClusterScenario {
    Pair() : ClusterScenario(12) {
        const auto members = join_all({"a", "b"});
        a = members[0];
        b = members[1];
        accept_for_all(*a);
        run_for(1s);
        EXPECT_GT(owned_by(*a), 0U);
        EXPECT_GT(owned_by(*b), 0U);
    }
    [[nodiscard]] std::vector<SubmitterId> lanes_of(const Member& member) const {
        std::vector<SubmitterId> lanes;
        for (const auto& submitter : submitters)
            if (owner(submitter) == member.id()) lanes.push_back(submitter);
        return lanes;
    }
    void expect_settled_lawfully() {
        ASSERT_TRUE(run_until_settled());
        expect_lawful();
    }

    Member* a = nullptr;
    Member* b = nullptr;
};

TEST(ClusterTakeover, OrderlyLeaveHandsOverWithinTwoSeconds) {
    Pair scenario;
    scenario.a->leave();
    ASSERT_TRUE(scenario.run_until(
        [&] { return scenario.a->has_left() && scenario.owned_by(*scenario.b) == scenario.submitters.size(); }, 2s));
    scenario.accept_for_all(*scenario.b);
    scenario.expect_settled_lawfully();
}

TEST(ClusterTakeover, WorkAcceptedByALeavingNodeIsExecutedByAnother) {
    Pair scenario;
    scenario.a->leave();
    scenario.accept_for_all(*scenario.a);
    scenario.expect_settled_lawfully();
    EXPECT_EQ(scenario.all().size(), 2 * scenario.submitters.size());
    EXPECT_EQ(scenario.owned_by(*scenario.a), 0U);
}

TEST(ClusterTakeover, LanesOfAKilledNodeContinueAfterLeaseExpiry) {
    Pair scenario;
    const auto lanes = scenario.lanes_of(*scenario.a);
    scenario.kill(*scenario.a);
    scenario.accept_for_all(*scenario.b);
    std::map<SubmitterId, UnixTime> expires_at;
    for (const auto& lane : lanes)
        expires_at[lane] = scenario.submitter(lane).lease.value().expires_at;
    scenario.run_for(15s);
    for (const auto& lane : lanes) {
        EXPECT_EQ(scenario.owner(lane), scenario.b->id());
        const auto acquired_at = scenario.submitter(lane).lease.value().acquired_at;
        EXPECT_GE(acquired_at, expires_at[lane]);
        EXPECT_LE(acquired_at, expires_at[lane] + 2s);
    }
    scenario.expect_settled_lawfully();
}

TEST(ClusterTakeover, NodeWithoutHeartbeatsKeepsItsRenewedLeases) {
    Pair scenario;
    const auto lanes = scenario.lanes_of(*scenario.a);
    scenario.a->records().lose_heartbeats(true);
    scenario.keep_accepting({scenario.b}, 1min);
    EXPECT_EQ(scenario.get(scenario.store->live(5s)).value().size(), 1U) << "the others treat it as dead";
    EXPECT_EQ(scenario.lanes_of(*scenario.a), lanes);
    for (const auto& lane : lanes)
        EXPECT_EQ(scenario.token(lane), FenceToken(1));
    scenario.expect_settled_lawfully();
}

TEST(ClusterTakeover, NodeWithoutDatabaseLosesLeasesAtExpiryAndWritesNothing) {
    Pair scenario;
    auto& cut_off = scenario.a->store();
    scenario.a->records().cut_off(true);
    cut_off.set_fault(StoreFault::hangs);  // its current writes, receipts of the next blocks, arrive when it is back
    const auto before = cut_off.written().size();
    scenario.run_for(4s);
    EXPECT_GT(scenario.owned_by(*scenario.a), 0U) << "not before";
    scenario.keep_accepting({scenario.b}, 10s);
    EXPECT_EQ(scenario.owned_by(*scenario.b), scenario.submitters.size());
    EXPECT_TRUE(scenario.log.has(Severity::warning, "Cluster state not readable"));
    EXPECT_EQ(cut_off.written().size(), before);
    scenario.a->records().cut_off(false);
    cut_off.set_fault(StoreFault::none);
    scenario.run_for(500ms);
    std::size_t landed_late = 0;
    for (std::size_t i = before; i < cut_off.written().size(); ++i) {
        const auto& [write, answer] = cut_off.written()[i];
        if (write.fence.token != FenceToken(1)) continue;
        ++landed_late;
        EXPECT_EQ(answer, WriteAnswer::fenced) << write.submitter.to_string();
    }
    EXPECT_GT(landed_late, 0U) << "otherwise this test proves nothing";
    scenario.keep_accepting({scenario.a, scenario.b}, 15s);
    for (const auto& submitter : scenario.submitters)
        EXPECT_EQ(scenario.owner(submitter), scenario.placed_on(submitter, {scenario.a, scenario.b}));
    scenario.expect_settled_lawfully();
}

TEST(ClusterTakeover, Failure15PausedNodeSendsNothingAfterLeaseExpiry) {
    Pair scenario;
    // Between the commit of a nonce and its send: there is only one such point.
    std::optional<TxHash> committed;
    scenario.points.watch([&](const std::string& point) {
        if (committed || point != "written" || scenario.world.running() != &scenario.a->process()) return;
        const auto& write = scenario.a->store().written().back().first;
        if (write.transactions.empty() || !write.transactions[0].nonce) return;
        committed = write.transactions[0].attempts.at(0).hash;
        scenario.world.pause(scenario.a->process());
    });
    scenario.accept_for_all(*scenario.b);
    scenario.run_for(500ms);
    ASSERT_TRUE(committed.has_value());
    EXPECT_EQ(scenario.times_sent(*committed), 0U);
    scenario.keep_accepting({scenario.b}, 20s);
    EXPECT_EQ(scenario.times_sent(*committed), 1U) << "the new owner has sent it";
    EXPECT_EQ(scenario.owned_by(*scenario.b), scenario.submitters.size());
    scenario.world.resume(scenario.a->process());
    scenario.run_for(1s);
    EXPECT_EQ(scenario.times_sent(*committed), 1U);
    EXPECT_TRUE(scenario.sent_without_lease().empty());
    scenario.keep_accepting({scenario.a, scenario.b}, 10s);
    scenario.expect_settled_lawfully();
}

// The nodes that have sent transactions.
std::set<std::string> senders(ClusterScenario& scenario) {
    std::set<std::string> nodes;
    for (const auto& entry : scenario.network.record().entries())
        nodes.insert(entry.node);
    return nodes;
}

TEST(ClusterTakeover, Failure15OnlyTheLeaseOwnerSendsWithASharedKeyFile) {
    ClusterScenario scenario(1);
    const auto members = scenario.join_all({"a", "b"});
    scenario.keep_accepting(members, 10s);
    EXPECT_EQ(senders(scenario).size(), 1U) << "both have the key, and both get requests";
    auto* const owner = scenario.owned_by(*members[0]) == 1 ? members[0] : members[1];
    auto* const other = owner == members[0] ? members[1] : members[0];
    // It is paused with work in flight until the other has taken over, and briefly believes that it still owns the
    // lease.
    scenario.world.pause(owner->process());
    scenario.keep_accepting({other}, 20s);
    EXPECT_EQ(scenario.owned_by(*other), 1U);
    EXPECT_EQ(senders(scenario).size(), 2U) << "otherwise this test proves nothing";
    scenario.world.resume(owner->process());
    scenario.keep_accepting(members, 10s);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_TRUE(scenario.sent_without_lease().empty());
    scenario.expect_lawful();
}

TEST(ClusterTakeover, RestartedProcessIsADifferentOwner) {
    Pair scenario;
    const auto lanes = scenario.lanes_of(*scenario.a);
    scenario.kill(*scenario.a);
    auto& again = scenario.join("a");
    ASSERT_NE(again.id(), scenario.a->id());
    scenario.run_for(5s);
    for (const auto& lane : lanes)
        EXPECT_EQ(scenario.owner(lane), scenario.a->id()) << "the lease of its predecessor is not its own";
    scenario.run_for(10s);
    for (const auto& lane : lanes) {
        EXPECT_NE(scenario.owner(lane), scenario.a->id());
        EXPECT_GE(scenario.token(lane), FenceToken(2));
    }
    scenario.expect_settled_lawfully();
}

}  // namespace
}  // namespace fencepost::scenario
