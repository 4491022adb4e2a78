// The nodes of a run, by index. A node's process may be dead; a restart creates a new incarnation with the same index.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "sim/simulation/simulated_node.hpp"

namespace fencepost::sim {

class Cluster {
public:
    explicit Cluster(const SimulatedNode::Parts& parts);

    /// The node that a caller's load balancer would choose; it may be paused or cut off. Null when all are dead.
    [[nodiscard]] SimulatedNode* any(Random& random);
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    /// Null while its process is dead.
    [[nodiscard]] SimulatedNode* at(std::size_t slot) { return slots_.at(slot); }
    void kill(std::size_t slot);
    void start(std::size_t slot);
    /// The current process at this index loses access permanently, as does every process started there later.
    void break_for_good(std::size_t slot, LastingFault fault);
    /// Restores access.
    void mend(std::size_t slot);
    /// As after a crash: running tasks are destroyed where they are suspended.
    void kill_all();

private:
    void break_node(SimulatedNode& node, LastingFault fault) const;

    SimulatedNode::Parts parts_;
    std::vector<SimulatedNode*> slots_;
    std::map<std::size_t, LastingFault> broken_;
    // Dead nodes are kept: pending operations may still point to them.
    std::deque<std::unique_ptr<SimulatedNode>> nodes_;
};

}  // namespace fencepost::sim
