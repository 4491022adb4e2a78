// The port that decides about STUCK transactions, when all automatic means are exhausted. The operator's business
// decides: waiting may be right for a payout and wrong for a bid. Every decision is recorded before it is executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/stuck_decision.hpp"

namespace fencepost {

struct StuckReport {
    TxId tx;
    SubmitterId submitter;
    Nonce nonce;
    /// Hash of its latest attempt; none while a signing connector has not reported one.
    std::optional<TxHash> latest{};
    std::size_t attempts = 0;
    /// Time since the first send, if known.
    std::optional<Duration> age{};
    /// The last error of the endpoints.
    std::string error{};
};

/// Contract: returns within its own time limit, with its default if no decision arrives, and never throws.
class StuckPolicy {
public:
    virtual ~StuckPolicy() = default;
    [[nodiscard]] virtual Task<StuckDecision> decide(StuckReport report) = 0;
};

}  // namespace fencepost
