// The built-in policies; an embedder may supply others.
#pragma once

#include "ports/gas_bump_policy.hpp"
#include "ports/stuck_policy.hpp"

namespace fencepost::lane {

/// The latest offer times the configured factor, or the market price if that is higher. A transaction that already
/// offers the market price and only waits for its predecessors is not bumped (failure 10).
class MultiplyFees final : public GasBumpPolicy {
public:
    [[nodiscard]] std::optional<Fees> wanted(const BumpRequest& question) override;
};

/// A constant decision. The default waits: nothing is cancelled or replaced automatically.
class AlwaysDecide final : public StuckPolicy {
public:
    explicit AlwaysDecide(StuckDecision decision = StuckDecision::wait) : decision_(decision) {}
    [[nodiscard]] Task<StuckDecision> decide(StuckReport /*report*/) override { co_return decision_; }

private:
    StuckDecision decision_;
};

}  // namespace fencepost::lane
