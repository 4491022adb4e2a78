// What lifting a PROTECT would do, before anybody does it: whether it may be lifted, where the cursor goes, and what
// becomes of each transaction. The lane decides by it, and whoever asks for a dry run reads the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text/enum_names.hpp"
#include "ports/chain.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// A transaction that has a nonce, and is not settled, or whose block a reorg removed after that.
struct NonceHolder {
    TxId tx;
    Nonce nonce;
    Position position;
    bool is_mined = false;
};

struct StoppedSubmitter {
    SubmitterStatus status{};
    std::optional<Nonce> cursor{};  // none when it was stopped at first contact
    Nonce watch_from{};
    std::vector<NonceHolder> holders{};
    /// Settled ones are not finalized yet.
    bool watches_settled = false;
    std::vector<TxId> queued{};
    /// Others use the key, too: their transactions are no reason to wait.
    bool is_shared = false;
};
[[nodiscard]] StoppedSubmitter stopped_submitter(const LaneState& state, const std::vector<QueuedIntent>& queue);

/// What the chain says of the account; `finalized` is how many of its transactions can not be reorganised any more.
struct AccountStanding {
    AccountCounts counts;
    Nonce finalized;
};

enum class AfterUnprotect {
    stays_queued,  // and gets a nonce from the new cursor up
    kept,          // in flight under its nonce: sent and watched as before
    mined,         // its receipt is followed to its verdict
    fails,         // its nonce was used by somebody else, for good; it is queued again only if a person says so
};
FP_ENUM_NAMES(AfterUnprotect, as_written, stays_queued, kept, mined, fails)

struct UnprotectPlan {
    struct Step {
        TxId tx;
        std::optional<Nonce> nonce;
        AfterUnprotect fate{};

        friend bool operator==(const Step&, const Step&) = default;
    };
    /// Why not now. With a reason nothing is done; the steps still say what would be.
    std::optional<std::string> refusal{};
    /// Where the cursor will stand.
    Nonce cursor{};
    /// Nothing of ours is watched any more, so watching starts at the cursor, too.
    bool moves_watch = false;
    std::vector<Step> steps{};
};

[[nodiscard]] UnprotectPlan plan_unprotect(const StoppedSubmitter& stopped, const AccountStanding& chain);

}  // namespace fencepost::lane
