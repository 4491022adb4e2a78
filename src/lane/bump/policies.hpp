// The policies that come with the product; an embedder may supply others.
#pragma once

#include "ports/gas_bump_policy.hpp"
#include "ports/stuck_policy.hpp"

namespace fencepost::lane {

/// The configured factor on the latest offer, or the market's price where that is higher. One that already offers what
/// the market asks for and only waits for its predecessors is left alone (failure 10).
class MultiplyFees final : public GasBumpPolicy {
public:
    [[nodiscard]] std::optional<Fees> wanted(const BumpQuestion& question) override;
};

/// Always the same. The default waits: nothing is cancelled or replaced by itself.
class AlwaysDecide final : public StuckPolicy {
public:
    explicit AlwaysDecide(StuckDecision decision = StuckDecision::wait) : decision_(decision) {}
    [[nodiscard]] Task<StuckDecision> decide(StuckReport /*report*/) override { co_return decision_; }

private:
    StuckDecision decision_;
};

}  // namespace fencepost::lane
