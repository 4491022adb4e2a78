#include "lane/allocate/recycle.hpp"

#include <fmt/format.h>

namespace fencepost::lane {
namespace {

// Somebody is about to report something by its nonce, which the next one must not be taken for.
bool is_asked_about(const Tracked& tracked) {
    return tracked.receipts.running || tracked.policy.running || tracked.activity == Activity::signing;
}

// Also what is being signed has a nonce already.
bool is_topmost(const LaneMemory& memory, const Tracked& tracked, const Turn& turn) {
    return !memory.signing.running && !turn.allocates() && memory.window.highest_in_flight() == tracked.tx.nonce;
}

}  // namespace

bool may_recycle(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked, const Turn& turn) {
    if (!lane.nonces.is_shared() || tracked.facts.may_be_held || is_asked_about(tracked)) return false;
    if (!is_topmost(memory, tracked, turn)) return false;
    // A person's wish is answered by an attempt.
    return tracked.tx.may(Trigger::recycle) && !tracked.wanted;
}

bool fail_and_recycle(LaneContext& lane, const Tracked& tracked, const std::string& reason, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::recycle) != Moved::yes) return false;
    edit.update.error = reason;
    edit.tell(TxFailed{reason});
    edit.note(HistoryKind::failed, fmt::format("{}; nonce {} is given to the next", reason, *tracked.tx.nonce));
    if (lane.options.on_failure == OnFailure::stop) {
        turn.set_status(SubmitterStatus::paused, fmt::format("transaction {} failed: {}", tracked.tx.id, reason));
    }
    turn.recycle(*tracked.tx.nonce, reason);
    lane.nonces.doubt();  // before it is given again, the chain is asked whether somebody else took it
    return true;
}

}  // namespace fencepost::lane
