#include "cluster/registry.hpp"

#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/sim_clock.hpp"

namespace fencepost::cluster {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const NodeId this_node("b/1");

// A node table in virtual time that can be slow or unavailable.
class NodeTable final : public Nodes {
public:
    explicit NodeTable(sim::SimNode& node) : world_(node.world()), clock_(node) {}

    Task<Status<StoreError>> heartbeat(NodeId node, std::string address, NodeAbility ability) override {
        if (slow != Duration{}) co_await clock_.sleep_for(slow);
        if (throws) throw std::runtime_error("an injected error");
        if (away) co_return err(StoreError::unavailable);
        ++beats;
        put(node, world_.unix_now(), address);
        std::ranges::find(rows, node, &NodeInfo::id)->ability = std::move(ability);
        co_return Status<StoreError>{};
    }
    Task<Status<StoreError>> leave(NodeId node) override {
        ++leaves;
        std::erase_if(rows, [&](const auto& row) { return row.id == node; });
        co_return Status<StoreError>{};
    }
    Task<Result<std::vector<NodeInfo>, StoreError>> live(Duration within) override {
        if (away) co_return err(StoreError::unavailable);
        auto found = rows;
        std::erase_if(found, [&](const auto& row) { return row.heartbeat_at + within <= world_.unix_now(); });
        co_return found;
    }
    void put(const NodeId& node, UnixTime at, const std::string& address = {}) {
        std::erase_if(rows, [&](const auto& row) { return row.id == node; });
        rows.push_back({.id = node, .address = address, .started_at = at, .heartbeat_at = at, .ability = {}});
        std::ranges::sort(rows, {}, &NodeInfo::id);
    }

    std::vector<NodeInfo> rows;
    bool away = false;
    Duration slow{};
    bool throws = false;
    int beats = 0;
    int leaves = 0;

private:
    sim::World& world_;
    sim::SimClock clock_;
};

class RegistryTest : public ::testing::Test {
protected:
    void spawn(Task<void> task) { world_.spawn(node_, std::move(task)); }
    Task<void> keep_live() { live_ = co_await registry_.live(); }
    Result<std::vector<Peer>, StoreError> live() {
        spawn(keep_live());
        world_.run_for(1ms);
        return live_;
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("b");
    sim::SimClock clock_{node_};
    NodeTable table_{node_};
    Registry registry_{node_.executor(), this_node, "10.0.0.1:8646", table_, clock_};
    Result<std::vector<Peer>, StoreError> live_;
};

TEST_F(RegistryTest, SendsHeartbeatsEverySecondAlsoAfterADatabaseOutage) {
    spawn(registry_.run());
    world_.run_for(3500ms);
    EXPECT_EQ(table_.beats, 4);
    EXPECT_EQ(table_.rows.at(0).address, "10.0.0.1:8646");
    table_.away = true;
    world_.run_for(10s);
    EXPECT_EQ(table_.beats, 4);
    table_.away = false;
    world_.run_for(1s);
    EXPECT_EQ(table_.beats, 5);
}

TEST_F(RegistryTest, DistinguishesFreshFromSilentNodes) {
    table_.put(NodeId("a/1"), world_.unix_now());
    world_.run_for(2s);
    table_.put(NodeId("c/1"), world_.unix_now());
    spawn(registry_.run());
    world_.run_for(1s);
    EXPECT_THAT(live().value(),
                ElementsAre(Peer{NodeId("a/1"), false, {}}, Peer{this_node, true, {}}, Peer{NodeId("c/1"), true, {}}));
    world_.run_for(2s);
    EXPECT_THAT(live().value(), ElementsAre(Peer{this_node, true, {}}, Peer{NodeId("c/1"), false, {}}));
}

TEST_F(RegistryTest, HeartbeatReportsAbilities) {
    NodeAbility ability;
    ability.chains[ChainRef::evm(1)] = {.ability = {.cause = AbilityCause::no_head}};
    registry_.set_ability(ability);
    EXPECT_EQ(live().value().at(0).ability, ability) << "its own abilities need no heartbeat";
    spawn(registry_.run());
    world_.run_for(10ms);
    EXPECT_EQ(table_.rows.at(0).ability, ability);
    registry_.set_ability({});
    world_.run_for(1s);
    EXPECT_EQ(table_.rows.at(0).ability, NodeAbility{});
}

TEST_F(RegistryTest, ListsItselfAsLiveAlsoWithoutHeartbeats) {
    EXPECT_THAT(live().value(), ElementsAre(Peer{this_node, true, {}}));
    table_.away = true;
    EXPECT_EQ(live().error(), StoreError::unavailable);
}

TEST_F(RegistryTest, NoHeartbeatFollowsALeave) {
    table_.slow = 300ms;
    spawn(registry_.run());
    world_.run_for(1400ms);
    ASSERT_EQ(table_.beats, 1);
    spawn(registry_.leave());
    world_.run_for(1s);
    EXPECT_THAT(table_.rows, IsEmpty());
    world_.run_for(10s);
    EXPECT_THAT(table_.rows, IsEmpty());
    EXPECT_EQ(table_.beats, 2);
    EXPECT_EQ(table_.leaves, 1) << "it waited for the heartbeat, and need not leave again";
}

TEST_F(RegistryTest, HangingHeartbeatTimesOutAndTheNextSucceeds) {
    table_.slow = 1h;
    spawn(registry_.run());
    world_.run_for(1s);
    table_.slow = Duration{};
    world_.run_for(2500ms);
    EXPECT_EQ(table_.beats, 1);
}

TEST_F(RegistryTest, ThrowingHeartbeatIsReported) {
    table_.throws = true;
    spawn(registry_.run());
    EXPECT_THROW(world_.run_for(10ms), std::runtime_error);
}

}  // namespace
}  // namespace fencepost::cluster
