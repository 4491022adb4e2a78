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
    explicit Cluster(const SimulatedNode::Dependencies& parts);

    /// The node that a caller's load balancer would choose; it may be paused or cut off. Null when all are dead.
    [[nodiscard]] SimulatedNode* random_node(Random& random);
    [[nodiscard]] std::size_t size() const { return nodes_by_index_.size(); }
    /// Null while its process is dead.
    [[nodiscard]] SimulatedNode* at(std::size_t node_index) { return nodes_by_index_.at(node_index); }
    void kill(std::size_t node_index);
    void start(std::size_t node_index);
    /// The current process at this index loses access permanently, as does every process started there later.
    void break_permanently(std::size_t node_index, PermanentFault fault);
    /// Restores access.
    void repair(std::size_t node_index);
    /// As after a crash: running tasks are destroyed where they are suspended.
    void kill_all();

private:
    void break_node(SimulatedNode& node, PermanentFault fault) const;

    SimulatedNode::Dependencies dependencies_;
    std::vector<SimulatedNode*> nodes_by_index_;
    std::map<std::size_t, PermanentFault> broken_;
    // Dead nodes are kept: pending operations may still point to them.
    std::deque<std::unique_ptr<SimulatedNode>> nodes_;
};

}  // namespace fencepost::sim
