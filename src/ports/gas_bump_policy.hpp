// The port that decides the fee of a replacement. A policy only proposes: a proposal below the nodes' replacement
// minimum is raised to it, and the operator's cap always applies (domain/fees.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

struct BumpRequest {
    SubmitterId submitter;
    /// The fees of every attempt so far, the latest last; never empty.
    std::vector<Fees> offered;
    /// The current suggestion of the fee oracle; none when it did not answer.
    std::optional<Fees> market;
    /// Time since the first send.
    Duration age{};
    /// Number of lower nonces of this submitter that are not mined yet.
    std::size_t behind = 0;
    /// As configured.
    BumpFactor multiplier{};
};

/// Contract: returns without blocking, and never throws.
class GasBumpPolicy {
public:
    virtual ~GasBumpPolicy() = default;
    /// None: no bump now.
    [[nodiscard]] virtual std::optional<Fees> wanted(const BumpRequest& question) = 0;
};

}  // namespace fencepost
