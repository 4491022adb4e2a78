// The nodes of a run, by slot. A slot's process may be dead, and another incarnation started in it.
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

    /// Whom a caller's balancer would choose: also one that is paused or cut off. None when all are dead.
    [[nodiscard]] SimulatedNode* any(Random& random);
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    /// None while its process is dead.
    [[nodiscard]] SimulatedNode* at(std::size_t slot) { return slots_.at(slot); }
    void kill(std::size_t slot);
    void start(std::size_t slot);
    /// From now on the process in this slot cannot use this, nor can those that are started in it later.
    void break_for_good(std::size_t slot, LastingFault fault);
    /// It can use everything again.
    void mend(std::size_t slot);
    /// As after a crash: what they were doing is destroyed where it stands.
    void kill_all();

private:
    void break_node(SimulatedNode& node, LastingFault fault) const;

    SimulatedNode::Parts parts_;
    std::vector<SimulatedNode*> slots_;
    std::map<std::size_t, LastingFault> broken_;
    // Also the dead ones: what is under way may still point to them.
    std::deque<std::unique_ptr<SimulatedNode>> nodes_;
};

}  // namespace fencepost::sim
