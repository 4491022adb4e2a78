#include "sim/chain/sim_follower.hpp"

#include <algorithm>

namespace fencepost::sim {

const SimBlock* SimFollower::poll() {
    for (const auto& endpoint : network_.endpoints()) {
        if (!endpoint->is_reachable_from(node_)) continue;
        const auto& candidate = endpoint->view().head();
        if (is_better(candidate)) head_ = &candidate;
    }
    return head_;
}

// Law 5: a known head is replaced only on the evidence of an endpoint that is at least as high; at the same height,
// only when no endpoint follows the old one any more.
bool SimFollower::is_better(const SimBlock& candidate) const {
    if (head_ == nullptr || candidate.number() > head_->number()) return true;
    return candidate.number() == head_->number() && &candidate != head_ && !is_still_followed(*head_);
}

bool SimFollower::is_still_followed(const SimBlock& block) const {
    return std::ranges::any_of(network_.endpoints(), [&](const auto& endpoint) {
        return endpoint->is_reachable_from(node_) && endpoint->view().block(block.number()) == &block;
    });
}

std::optional<Instant> SimFollower::next_step() const {
    std::optional<UnixTime> earliest;
    for (const auto& endpoint : network_.endpoints()) {
        const auto step = endpoint->next_step();
        if (step && (!earliest || *step < *earliest)) earliest = step;
    }
    if (!earliest) return std::nullopt;
    auto& world = network_.world();
    return world.now() + (*earliest - world.unix_now());
}

}  // namespace fencepost::sim
