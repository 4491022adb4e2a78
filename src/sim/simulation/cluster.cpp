#include "sim/simulation/cluster.hpp"

#include <fmt/format.h>

namespace fencepost::sim {

Cluster::Cluster(const SimulatedNode::Dependencies& parts)
    : dependencies_(parts),
      nodes_by_index_(parts.settings.nodes) {
    for (std::size_t node_index = 0; node_index < nodes_by_index_.size(); ++node_index)
        start(node_index);
}

void Cluster::start(std::size_t node_index) {
    if (nodes_by_index_.at(node_index) != nullptr) return;
    nodes_.push_back(std::make_unique<SimulatedNode>(dependencies_, fmt::format("node-{}", node_index)));
    nodes_by_index_[node_index] = nodes_.back().get();
    nodes_by_index_[node_index]->process().set_clock_skew(dependencies_.settings.skews.at(node_index));
    if (const auto broken = broken_.find(node_index); broken != broken_.end())
        break_node(*nodes_by_index_[node_index], broken->second);
}

void Cluster::break_permanently(std::size_t node_index, PermanentFault fault) {
    broken_[node_index] = fault;
    if (nodes_by_index_.at(node_index) != nullptr) break_node(*nodes_by_index_[node_index], fault);
}

void Cluster::break_node(SimulatedNode& node, PermanentFault fault) const {
    if (fault == PermanentFault::signer) node.break_signer();
    if (fault != PermanentFault::chain) return;
    for (const auto& endpoint : dependencies_.network.endpoints())
        endpoint->cut_off(node.process().name());
}

void Cluster::repair(std::size_t node_index) {
    broken_.erase(node_index);
    if (nodes_by_index_.at(node_index) == nullptr) return;
    nodes_by_index_[node_index]->repair_signer();
    for (const auto& endpoint : dependencies_.network.endpoints())
        endpoint->reconnect(nodes_by_index_[node_index]->process().name());
}

void Cluster::kill(std::size_t node_index) {
    auto* node = std::exchange(nodes_by_index_.at(node_index), nullptr);
    if (node != nullptr) dependencies_.world.kill(node->process());
}

void Cluster::kill_all() {
    for (std::size_t node_index = 0; node_index < nodes_by_index_.size(); ++node_index)
        kill(node_index);
}

SimulatedNode* Cluster::random_node(Random& random) {
    std::vector<SimulatedNode*> live;
    for (auto* node : nodes_by_index_) {
        if (node != nullptr) live.push_back(node);
    }
    return live.empty() ? nullptr : live[random.below(live.size())];
}

}  // namespace fencepost::sim
