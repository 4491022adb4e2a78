// Which nodes are there, by their heartbeats in the database and on its time. A hint for placement: a node that misses
// heartbeats loses nothing that it holds a lease for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/async/task.hpp"
#include "base/async/wakeup.hpp"
#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/store/nodes.hpp"

namespace fencepost::cluster {

struct RegistryOptions {
    Duration heartbeat_every = std::chrono::seconds(1);
    /// A heartbeat that is not answered for so long is given up: the next one may get through.
    Duration beat_limit = std::chrono::seconds(2);
    /// A node that was not heard of for so long is not there.
    Duration live_within = std::chrono::seconds(5);
};

struct Peer {
    NodeId id;
    /// Heard of within the last two heartbeats or so. Others may have died just now.
    bool fresh = false;
    /// What it said last that it is able to.
    NodeAbility ability{};

    friend bool operator==(const Peer&, const Peer&) = default;
};

class Registry {
public:
    Registry(const Executor& executor, NodeId self, std::string address, Nodes& nodes, Clock& clock,
             RegistryOptions options = {});

    [[nodiscard]] const NodeId& self() const { return self_; }

    /// What the next heartbeats say.
    void set_ability(NodeAbility ability) { ability_ = std::move(ability); }
    [[nodiscard]] const NodeAbility& ability() const { return ability_; }

    /// Heartbeats, until it is cancelled or leave() was called.
    [[nodiscard]] Task<void> run();
    /// The live nodes by id. This one is always among them: whether others hear it says nothing about itself.
    [[nodiscard]] Task<Result<std::vector<Peer>, StoreError>> live();
    /// Waits for the heartbeat that is under way; none comes after it. When the database does not answer, this node is
    /// forgotten after a while.
    [[nodiscard]] Task<void> leave();

private:
    [[nodiscard]] Task<void> beat();
    [[nodiscard]] Task<void> beat_once();

    NodeId self_;
    std::string address_;
    Nodes& nodes_;
    Clock& clock_;
    RegistryOptions options_;
    NodeAbility ability_;
    bool left_ = false;
    bool beating_ = false;
    Wakeup beaten_;
};

}  // namespace fencepost::cluster
