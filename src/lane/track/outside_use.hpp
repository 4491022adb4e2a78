// What the chain's counts say when they do not fit the cursor, in words for the person who must decide: asked when a
// lane opens, and by the reconciler.
#pragma once

#include <string>

#include "lane/loop/lane_context.hpp"

namespace fencepost::lane {

struct OutsideUse {
    /// With the stranger's hash, where an endpoint can name it.
    std::string reason;
    /// An endpoint says that the nonce is consumed, or waits to be; not only that it could not tell.
    bool is_certain = false;
};

/// The chain counts more than `next`, the first nonce that was never given: by whom?
[[nodiscard]] Task<OutsideUse> describe_outside_use(LaneContext* context, Nonce next, AccountCounts counts);

/// The chain counts fewer than were final, also with what is pending: it is not the one we know. Pending, because what
/// was adopted at first contact need not be mined yet.
[[nodiscard]] bool is_wrong_world(const AccountCounts& counts, Nonce final_below);
[[nodiscard]] std::string describe_wrong_world(const AccountCounts& counts, Nonce final_below);

}  // namespace fencepost::lane
