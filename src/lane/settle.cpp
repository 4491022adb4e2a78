#include "lane/settle.hpp"

#include <fmt/format.h>

#include "lane/confirm.hpp"
#include "lane/send_report.hpp"

namespace fencepost::lane {
namespace {

bool needs_explanation(const Tracked& tracked) {
    if (!tracked.is_mined() || tracked.is_settled() || tracked.tx.receipt->succeeded) return false;
    return tracked.tx.attempt_with(tracked.tx.receipt->hash)->kind != AttemptKind::filler;
}

Task<void> explain(LaneContext* context, Receipt receipt) {
    auto& lane = *context;
    const auto reason = co_await lane.chain().failure_reason(receipt);
    lane.inbox.put(FailureExplained{receipt.hash, reason ? std::optional(*reason) : std::nullopt});
}

// The verdict does not depend on the words; a node that keeps no old state can never give them.
constexpr std::uint32_t explanations_tried = 5;

std::string failure_of(const Tracked& tracked, State verdict) {
    if (verdict == State::confirmed) return "";
    if (tracked.failure) return fmt::format("{}: {}", name_of(Refusal::revert), *tracked.failure);
    switch (tracked.tx.abandonment) {
        case Abandonment::cancelled:
            return "cancelled";
        case Abandonment::timed_out:
            return "timed out";
        case Abandonment::refused:
        case Abandonment::none:
            return refused_by_nodes(tracked.error);
    }
    FP_UNREACHABLE();
}

HistoryKind history_of(State verdict) {
    if (verdict == State::confirmed) return HistoryKind::confirmed;
    return verdict == State::cancelled ? HistoryKind::cancelled : HistoryKind::failed;
}

void settle(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (!edit.next.receipt || edit.move(verdict(edit.next, *edit.next.receipt)) != Moved::yes) return;
    const auto state = edit.next.position.state;
    const auto why = failure_of(tracked, state);
    auto blocks = tracked.deep_confirmations.value_or(tracked.confirmations->blocks());
    edit.update.error = why;
    edit.note(history_of(state), why);
    if (state == State::confirmed) {
        edit.tell(TxConfirmed{.confirmations = blocks, .new_fork = false});
    } else {
        edit.tell(TxFailed{why});
    }
    edit.update.confirmations = std::move(blocks);
    if (state == State::failed_final && lane.options.on_failure == OnFailure::stop) {
        turn.set_status(SubmitterStatus::paused, fmt::format("transaction {} failed: {}", tracked.tx.id, why));
    }
}

bool is_finalized(const LaneContext& lane, const Tracked& tracked) {
    if (tracked.lost) return true;
    if (!tracked.is_settled() || tracked.tx.position.sub == SubState::forked) return false;
    if (!tracked.is_mined()) return true;  // consumed by somebody else, for good
    if (!lane.watch.finalized() || tracked.tx.receipt->block_number > *lane.watch.finalized()) return false;
    // Below the watch's view nothing is known: a reorg may have taken it while nobody of ours was there.
    return tracked.confirmations->standing(lane.watch.view()) == Standing::included || tracked.deep_confirmations;
}

// Others use some of the nonces between ours, and some were given back: only what lies below one that is final is
// certainly consumed. One that gets its nonce in this turn may lie below as well. Where nothing is left to watch, the
// cursor steps back over what was given back, or the submitter would never be finished.
void move_watch_of_shared(const LaneContext& lane, const LaneMemory& memory, Turn& turn) {
    if (turn.allocates()) return;
    auto lowest = memory.watch_from;
    bool all = true;
    for (const auto& [nonce, tracked] : memory.tracked) {
        all = is_finalized(lane, tracked);
        if (!all) break;
        lowest = nonce.next();
    }
    if (lowest > memory.watch_from) turn.watch_from(lowest);
    if (all && lowest < memory.window.next()) turn.move_cursor(memory.window.next(), lowest);
}

void move_watch(const LaneContext& lane, const LaneMemory& memory, Turn& turn) {
    if (lane.nonces.is_shared()) return move_watch_of_shared(lane, memory, turn);
    auto lowest = memory.window.next();
    for (const auto& [nonce, tracked] : memory.tracked) {
        if (is_finalized(lane, tracked)) continue;
        lowest = nonce;
        break;
    }
    if (lowest > memory.watch_from && !memory.tracked.empty()) turn.watch_from(lowest);
}

}  // namespace

void settle_final(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (tracked.is_settled() || turn.has_new_receipt(tracked.tx) || !is_final_now(lane, tracked)) continue;
        if (needs_explanation(tracked) && !tracked.failure) continue;
        settle(lane, tracked, turn);
    }
    move_watch(lane, memory, turn);
}

void start_explaining(LaneContext& lane, LaneMemory& memory) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (!needs_explanation(tracked) || tracked.failure || tracked.explaining) continue;
        if (tracked.explain_at > lane.now()) continue;
        tracked.explaining = true;
        lane.send_out(explain(&lane, *tracked.tx.receipt));
    }
}

void take_explanation(const LaneContext& lane, LaneMemory& memory, const FailureExplained& explained) {
    auto* tracked = memory.find(explained.hash);
    if (tracked == nullptr) return;
    tracked->explaining = false;
    if (!tracked->is_mined() || tracked->tx.receipt->hash != explained.hash) return;
    if (explained.reason || ++tracked->explain_failures >= explanations_tried) {
        tracked->failure = explained.reason.value_or("reverted; the reason could not be read");
    } else {
        tracked->explain_at = lane.now() + lane.backoff(tracked->explain_failures);
    }
}

}  // namespace fencepost::lane
