#include "lane/allocate/recycle.hpp"

#include <fmt/format.h>

namespace fencepost::lane {
namespace {

// A report by nonce is expected, which must not be attributed to the next owner of the nonce.
bool awaits_report(const Tracked& tracked) {
    return tracked.receipts.running || tracked.policy.running || tracked.activity == Activity::signing;
}

// Transactions that are being signed have a nonce already.
bool is_topmost(const LaneMemory& memory, const Tracked& tracked, const Turn& turn) {
    return !memory.signing.running && !turn.allocates() && memory.window.highest_in_flight() == tracked.tx.nonce;
}

}  // namespace

bool can_recycle(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked, const Turn& turn) {
    if (!lane.nonces.is_shared() || tracked.facts.may_be_held || awaits_report(tracked)) return false;
    if (!is_topmost(memory, tracked, turn)) return false;
    // A replacement that an operator requested needs an attempt.
    return tracked.tx.may(Trigger::recycle) && !tracked.wanted;
}

bool fail_and_recycle(LaneContext& lane, const Tracked& tracked, const std::string& reason, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::recycle) != Moved::yes) return false;
    edit.update.error = reason;
    edit.tell(TxFailed{reason});
    edit.note(HistoryKind::failed, fmt::format("{}; nonce {} is released", reason, *tracked.tx.nonce));
    if (lane.options.on_failure == OnFailure::stop) {
        turn.set_status(SubmitterStatus::paused, fmt::format("transaction {} failed: {}", tracked.tx.id, reason));
    }
    turn.recycle(*tracked.tx.nonce, reason);
    lane.nonces.invalidate();  // before it is allocated again, the chain is asked whether another system took it
    return true;
}

}  // namespace fencepost::lane
