// Verification after an opening: transactions may have been mined while no lane was open. Before an irreversible
// decision (bump, gap filler, time-out, STUCK) the lane needs three answers, in this order: the chain's head, the
// account's count, and that none of the transaction's attempts has a receipt. They are queried only when such a
// decision is due.
#pragma once

#include <set>

#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost::lane {

struct LaneContext;
struct LaneMemory;
struct Tracked;

struct Verification {
    /// The view is treated as complete after the first reported block, or at this time: blocks from before the opening
    /// have been reported by then.
    Instant head_known_at{};
    bool seen_block = false;
    /// The count query was started after the head was known.
    bool asks_after_head = false;
    bool count_read = false;
    /// Nonces with an irreversible decision due.
    std::set<Nonce> waiting{};

    [[nodiscard]] bool knows_head(Instant now) const { return seen_block || head_known_at <= now; }
};

/// Whether it is verified that none of its attempts is mined.
[[nodiscard]] bool is_verified(const LaneMemory& memory, const Tracked& tracked);
/// Starts the missing queries, and returns when to check again.
[[nodiscard]] Instant start_verifying(LaneContext& lane, LaneMemory& memory, Tracked& tracked);
/// Whether a needed query was not started, and will not be.
[[nodiscard]] bool lacks_verification(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);

/// The chain has reported a block.
void note_block(LaneMemory& memory);
/// An answer that they wait for may have arrived.
void touch_unverified(LaneMemory& memory);

}  // namespace fencepost::lane
