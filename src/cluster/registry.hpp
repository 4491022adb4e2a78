// Tracks the live nodes by their heartbeats in the database, in database time. It informs placement only: a node that
// misses heartbeats keeps its leases.
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
    /// Time limit of one heartbeat; the next one may succeed.
    Duration heartbeat_timeout = std::chrono::seconds(2);
    /// A node without a heartbeat for this long is not live.
    Duration live_within = std::chrono::seconds(5);
};

struct Peer {
    NodeId id;
    /// Its heartbeat is at most about two intervals old. Other nodes may have just died.
    bool fresh = false;
    /// The abilities that it reported last.
    NodeAbility ability{};

    friend bool operator==(const Peer&, const Peer&) = default;
};

class Registry {
public:
    Registry(const Executor& executor, NodeId self, std::string address, Nodes& nodes, Clock& clock,
             RegistryOptions options = {});

    [[nodiscard]] const NodeId& self() const { return self_; }

    /// The abilities that the next heartbeats report.
    void set_ability(NodeAbility ability) { ability_ = std::move(ability); }
    [[nodiscard]] const NodeAbility& ability() const { return ability_; }

    /// Sends heartbeats until cancelled or until leave() was called.
    [[nodiscard]] Task<void> run();
    /// The live nodes by id. Always includes this node.
    [[nodiscard]] Task<Result<std::vector<Peer>, StoreError>> live();
    /// Waits for the heartbeat in progress and sends no more. If the database does not answer, the registration
    /// expires.
    [[nodiscard]] Task<void> leave();

private:
    [[nodiscard]] Task<void> send_heartbeat();
    [[nodiscard]] Task<void> send_one_heartbeat();

    NodeId self_;
    std::string address_;
    Nodes& nodes_;
    Clock& clock_;
    RegistryOptions options_;
    NodeAbility ability_;
    bool left_ = false;
    bool sending_ = false;
    Wakeup sent_;
};

}  // namespace fencepost::cluster
