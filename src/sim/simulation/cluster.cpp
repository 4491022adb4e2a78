#include "sim/simulation/cluster.hpp"

#include <fmt/format.h>

namespace fencepost::sim {

Cluster::Cluster(const SimulatedNode::Parts& parts) : parts_(parts), slots_(parts.settings.nodes) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot)
        start(slot);
}

void Cluster::start(std::size_t slot) {
    if (slots_.at(slot) != nullptr) return;
    nodes_.push_back(std::make_unique<SimulatedNode>(parts_, fmt::format("node-{}", slot)));
    slots_[slot] = nodes_.back().get();
    slots_[slot]->process().set_clock_skew(parts_.settings.skews.at(slot));
    if (const auto broken = broken_.find(slot); broken != broken_.end()) break_node(*slots_[slot], broken->second);
}

void Cluster::break_for_good(std::size_t slot, LastingFault fault) {
    broken_[slot] = fault;
    if (slots_.at(slot) != nullptr) break_node(*slots_[slot], fault);
}

void Cluster::break_node(SimulatedNode& node, LastingFault fault) const {
    if (fault == LastingFault::signer) node.break_signer();
    if (fault != LastingFault::chain) return;
    for (const auto& endpoint : parts_.network.endpoints())
        endpoint->cut_off(node.process().name());
}

void Cluster::mend(std::size_t slot) {
    broken_.erase(slot);
    if (slots_.at(slot) == nullptr) return;
    slots_[slot]->repair_signer();
    for (const auto& endpoint : parts_.network.endpoints())
        endpoint->reconnect(slots_[slot]->process().name());
}

void Cluster::kill(std::size_t slot) {
    auto* node = std::exchange(slots_.at(slot), nullptr);
    if (node != nullptr) parts_.world.kill(node->process());
}

void Cluster::kill_all() {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot)
        kill(slot);
}

SimulatedNode* Cluster::any(Random& random) {
    std::vector<SimulatedNode*> live;
    for (auto* node : slots_) {
        if (node != nullptr) live.push_back(node);
    }
    return live.empty() ? nullptr : live[random.below(live.size())];
}

}  // namespace fencepost::sim
