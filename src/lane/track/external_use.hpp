// Describes, for the operator, chain counts that do not match the cursor: used when a lane opens, and by the
// reconciler.
#pragma once

#include <string>

#include "lane/loop/lane_context.hpp"

namespace fencepost::lane {

struct ExternalUse {
    /// With the hash of the external transaction, if an endpoint can provide it.
    std::string reason;
    /// An endpoint reports the nonce as consumed or pending; not only unknown.
    bool is_certain = false;
};

/// The chain's count exceeds `next`, the first nonce that was never allocated: describes the external transaction.
[[nodiscard]] Task<ExternalUse> describe_external_use(LaneContext* context, Nonce next, AccountCounts counts);

/// The chain's pending count is below the finalized count: it is a different chain. Pending, because transactions
/// adopted at the nonce bootstrap need not be mined yet.
[[nodiscard]] bool is_wrong_chain(const AccountCounts& counts, Nonce final_below);
[[nodiscard]] std::string describe_wrong_chain(const AccountCounts& counts, Nonce final_below);

}  // namespace fencepost::lane
