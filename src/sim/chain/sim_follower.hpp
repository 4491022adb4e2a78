// A node's view of the head: it follows the best reachable endpoint and never goes back to one that lags.
#pragma once

#include <optional>
#include <string>

#include "sim/chain/sim_network.hpp"

namespace fencepost::sim {

class SimFollower {
public:
    SimFollower(SimNetwork& network, std::string node) : network_(network), node_(std::move(node)) {}

    /// Polls the endpoints. Null as long as none was ever reached.
    const SimBlock* poll();
    /// The result of the last poll.
    [[nodiscard]] const SimBlock* head() const { return head_; }
    /// When an endpoint learns more without a change of the chain.
    [[nodiscard]] std::optional<Instant> next_step() const;

private:
    [[nodiscard]] bool is_better(const SimBlock& candidate) const;
    [[nodiscard]] bool is_still_followed(const SimBlock& block) const;

    SimNetwork& network_;
    std::string node_;
    const SimBlock* head_ = nullptr;
};

}  // namespace fencepost::sim
