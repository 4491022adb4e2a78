// What to do with a transaction for which the automatic means are used up. A business decides: waiting may be right
// for a payout and wrong for a bid. Whatever it decides is put on record before it is done.
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
    /// Of its latest attempt; none while a connector that signs has not told any.
    std::optional<TxHash> latest{};
    std::size_t attempts = 0;
    /// Since bytes of it were first sent, as far as known.
    std::optional<Duration> age{};
    /// What endpoints said last.
    std::string error{};
};

/// What an implementation promises: it answers within its own time limit, with its default when nobody else did, and
/// never throws.
class StuckPolicy {
public:
    virtual ~StuckPolicy() = default;
    [[nodiscard]] virtual Task<StuckDecision> decide(StuckReport report) = 0;
};

}  // namespace fencepost
