// Plans the lifting of a PROTECT: whether it is allowed, where the cursor goes, and what happens to each transaction.
// The lane executes the plan, and a dry run returns it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "ports/chain.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// An unsettled transaction with a nonce, or a settled one whose block a reorg removed.
struct NonceHolder {
    TxId tx;
    Nonce nonce;
    Position position;
    bool is_mined = false;
};

struct StoppedSubmitter {
    SubmitterStatus status{};
    std::optional<Nonce> cursor{};  // none when it was stopped at the nonce bootstrap
    Nonce watch_from{};
    std::vector<NonceHolder> holders{};
    /// Settled transactions that are not finalized are still watched.
    bool watches_settled = false;
    std::vector<TxId> queued{};
    /// A shared key: transactions of other systems do not block it.
    bool is_shared = false;
};
[[nodiscard]] StoppedSubmitter stopped_submitter(const LaneState& state, const std::vector<QueuedIntent>& queue);

/// The account on the chain; `finalized` is its number of finalized transactions.
struct AccountStanding {
    AccountCounts counts;
    Nonce finalized;
};

enum class AfterUnprotect {
    stays_queued,  // and gets a nonce at or above the new cursor
    kept,          // in flight at its nonce: sent and watched as before
    mined,         // its receipt is followed to its verdict
    fails,         // an external transaction consumed its nonce permanently; only an operator can requeue it
};
FP_ENUM_NAMES(AfterUnprotect, as_written, stays_queued, kept, mined, fails)

struct UnprotectPlan {
    struct Step {
        TxId tx;
        std::optional<Nonce> nonce;
        AfterUnprotect fate{};

        friend bool operator==(const Step&, const Step&) = default;
    };
    /// Why it is not allowed now. Then nothing is done; the steps still show the effect.
    std::optional<std::string> refusal{};
    /// The new cursor.
    Nonce cursor{};
    /// Nothing is watched any more, so watching starts at the cursor, too.
    bool moves_watch = false;
    std::vector<Step> steps{};
};

[[nodiscard]] UnprotectPlan plan_unprotect(const StoppedSubmitter& stopped, const AccountStanding& chain);

}  // namespace fencepost::lane
