#include "cluster/placement.hpp"

#include <algorithm>
#include <utility>

#include "base/crypto/stable_hash.hpp"

namespace fencepost::cluster {

Placement::Placement(std::vector<NodeId> nodes) {
    nodes_.reserve(nodes.size());
    for (auto& id : nodes) {
        const auto hash = stable_hash(id.value());
        nodes_.push_back({std::move(id), hash});
    }
}

// Each text is hashed once instead of each pair: there are many submitters, and this runs at every poll.
std::vector<Placement::Weight> Placement::weights(const SubmitterId& submitter) const {
    const auto hash = stable_hash(submitter.to_string());
    std::vector<Weight> weights;
    weights.reserve(nodes_.size());
    for (const auto& node : nodes_)
        weights.push_back({mix(node.hash, hash), &node});
    return weights;
}

bool Placement::comes_before(const Weight& a, const Weight& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.node->id < b.node->id;
}

std::vector<NodeId> Placement::ranked(const SubmitterId& submitter) const {
    auto order = weights(submitter);
    std::ranges::sort(order, comes_before);
    std::vector<NodeId> ids;
    ids.reserve(order.size());
    for (const auto& weight : order)
        ids.push_back(weight.node->id);
    return ids;
}

std::optional<NodeId> Placement::first(const SubmitterId& submitter) const {
    if (nodes_.empty()) return std::nullopt;
    return std::ranges::min(weights(submitter), comes_before).node->id;
}

}  // namespace fencepost::cluster
