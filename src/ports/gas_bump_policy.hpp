// How much more to offer for a transaction that is not mined. A policy only wishes: what nodes would refuse as a
// replacement is raised to what they take, and nothing exceeds the operator's cap (domain/fees.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/submitter_id.hpp"

namespace fencepost {

struct BumpQuestion {
    SubmitterId submitter;
    /// Of every attempt so far, the latest last; never empty.
    std::vector<Fees> offered;
    /// What the chain's fee oracle asks for now; none when it did not answer.
    std::optional<Fees> market;
    /// Since bytes of it were first sent.
    Duration age{};
    /// How many nonces of the same submitter must be mined before this one.
    std::size_t behind = 0;
    /// As configured.
    BumpFactor multiplier{};
};

/// What an implementation promises: it answers at once, and never throws.
class GasBumpPolicy {
public:
    virtual ~GasBumpPolicy() = default;
    /// None: not now.
    [[nodiscard]] virtual std::optional<Fees> wanted(const BumpQuestion& question) = 0;
};

}  // namespace fencepost
