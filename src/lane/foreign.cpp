#include "lane/foreign.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hex.hpp"

namespace fencepost::lane {
namespace {

constexpr Position taken_position{State::stuck, SubState::nonce_taken};

// The endpoint that found no receipt may have been behind (failure 27): only a name is evidence.
Task<void> name_user(LaneContext* context, Nonce nonce, std::vector<Attempt> ours) {
    auto& lane = *context;
    const auto use = co_await lane.chain().use_of(lane.submitter, nonce);
    if (!use || !use->consumed || !use->by || !use->where || !use->where->block_hash) co_return;
    if (std::ranges::find(ours, *use->by, &Attempt::hash) != ours.end()) co_return;
    lane.inbox.put(NonceTaken{nonce, *use->by, *use->where->block_number, *use->where->block_hash});
}

void lose_nonce(LaneContext& lane, Tracked& tracked, const NonceTaken& taken, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    switch (edit.move(Trigger::nonce_taken)) {
        case Moved::never:
            return;
        case Moved::later:
            return turn.postpone(taken);
        case Moved::yes:
            break;
    }
    const auto reason = fmt::format("nonce {} was used by transaction {}, which is not ours", taken.nonce,
                                    to_hex_prefixed(taken.by.view()));
    edit.update.error = reason;
    edit.note(HistoryKind::stuck, reason);
    turn.set_status(SubmitterStatus::protect, reason);
    lane.world.log.write(Severity::alert, "The key is used by somebody else; the submitter is stopped",
                         {{"submitter", lane.submitter.to_string()}, {"why", reason}});
}

// Its block is gone, and our bytes may be mined again. The submitter stays stopped: the key is in other hands.
void regain_nonce(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::foreign_removed) != Moved::yes) return;  // the next turn finds it again
    edit.note(HistoryKind::forked, fmt::format("transaction {}, which had used the nonce, is no longer on the chain",
                                               to_hex_prefixed(tracked.taken->by.view())));
    edit.update.next_action_in = lane.options.resubmit_interval;
    tracked.resend_at = lane.now() + lane.options.resubmit_interval;
    tracked.taken.reset();
    turn.send(*tracked.tx.nonce);
}

void lose_for_good(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::foreign_final) != Moved::yes) return;
    const auto reason = fmt::format("{}: transaction {} has used its nonce", name_of(SubState::nonce_taken),
                                    to_hex_prefixed(tracked.taken->by.view()));
    edit.update.error = reason;
    edit.tell(TxFailed{reason});
    edit.note(HistoryKind::failed, reason);
    lane.world.telemetry.count(Counter::finality, name_of(State::failed_final));
}

}  // namespace

void start_naming(LaneContext& lane, const Tracked& tracked) {
    lane.send_out(name_user(&lane, *tracked.tx.nonce, tracked.tx.attempts));
}

void start_naming_again(LaneContext& lane, LaneMemory& memory) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (tracked.tx.position != taken_position || tracked.taken || tracked.name_at > lane.now()) continue;
        tracked.name_at = lane.now() + lane.options.stale_receipt_timeout;
        start_naming(lane, tracked);
    }
}

void take_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn) {
    const auto found = memory.tracked.find(taken.nonce);
    if (found == memory.tracked.end() || found->second.is_mined()) return;
    found->second.taken = taken;
    if (found->second.tx.position != taken_position) lose_nonce(lane, found->second, taken, turn);
}

void follow_foreign(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (!tracked.taken || tracked.tx.position != taken_position || turn.has_new_receipt(tracked.tx)) continue;
        const auto* block = lane.watch.view().at(tracked.taken->block_number);
        if (block != nullptr && block->hash != tracked.taken->block_hash) {
            regain_nonce(lane, tracked, turn);
        } else if (lane.watch.finalized() && tracked.taken->block_number <= *lane.watch.finalized()) {
            lose_for_good(lane, tracked, turn);
        }
    }
}

}  // namespace fencepost::lane
