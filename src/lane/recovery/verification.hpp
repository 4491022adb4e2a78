// A lane that was just opened may find transactions that were mined while no lane was open. Before it decides anything
// irreversible about one (a bump, a gap filler, a time-out, STUCK) it hears three things, in this order: the chain's
// head, the account's count, and that none of the transaction's attempts has a receipt. They are asked for only when
// such a decision is due.
#pragma once

#include <set>

#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost::lane {

struct LaneContext;
struct LaneMemory;
struct Tracked;

struct Verification {
    /// The view is taken to have reached the head when it is told of a block, and after this time at the latest: blocks
    /// that stood before the lane was opened have been told of by then.
    Instant head_known_at{};
    bool heard_of_block = false;
    /// The question for the count was, or is, asked after the head was known.
    bool asks_after_head = false;
    bool count_read = false;
    /// Those that something irreversible is due for.
    std::set<Nonce> waiting{};

    [[nodiscard]] bool knows_head(Instant now) const { return heard_of_block || head_known_at <= now; }
};

/// None of its attempts is mined, as far as a lane can know.
[[nodiscard]] bool is_verified(const LaneMemory& memory, const Tracked& tracked);
/// Sees to it that it will be verified, and returns when to look at it again.
[[nodiscard]] Instant start_verifying(LaneContext& lane, LaneMemory& memory, Tracked& tracked);
/// Something that it waits for was not asked, and is not going to be.
[[nodiscard]] bool forgets_to_verify(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked);

/// The chain has told of a block.
void note_block(LaneMemory& memory);
/// Something that they wait for may have come.
void touch_unverified(LaneMemory& memory);

}  // namespace fencepost::lane
