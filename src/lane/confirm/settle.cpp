#include "lane/confirm/settle.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/send_report.hpp"
#include "lane/confirm/confirm.hpp"

namespace fencepost::lane {
namespace {

Task<void> explain(LaneContext* context, Receipt receipt) {
    auto& lane = *context;
    const auto reason = co_await lane.chain().failure_reason(receipt);
    lane.inbox.put(FailureExplained{receipt.hash, reason ? std::optional(*reason) : std::nullopt});
}

// The verdict does not depend on the reason; a node without old state can never provide it.
constexpr std::uint32_t max_reason_queries = 5;

std::string failure_of(const Tracked& tracked, State verdict) {
    if (verdict == State::confirmed) return "";
    if (tracked.failure) return fmt::format("{}: {}", name_of(Refusal::revert), *tracked.failure);
    switch (tracked.tx.abandonment) {
        case Abandonment::cancelled:
            return "cancelled";
        case Abandonment::timed_out:
            return "timed out";
        case Abandonment::refused:
        case Abandonment::revoked:
        case Abandonment::none:
            return refusal_reason(tracked.error);
    }
    FP_UNREACHABLE();
}

HistoryKind history_of(State verdict) {
    if (verdict == State::confirmed) return HistoryKind::confirmed;
    return verdict == State::cancelled ? HistoryKind::cancelled : HistoryKind::failed;
}

void settle(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (!edit.next.receipt) return;
    const auto trigger = verdict(edit.next, *edit.next.receipt);
    if (edit.move(trigger) != Moved::yes) return;
    // It was abandoned, and the intent was mined all the same: if a reorg removes it, the intent must be mined again
    // (failure 46).
    const bool was_intent = trigger == Trigger::final_success || trigger == Trigger::final_revert;
    if (was_intent && is_abandoned(edit.next)) {
        edit.next.abandonment = Abandonment::none;
        edit.update.abandonment = Abandonment::none;
    }
    const auto state = edit.next.position.state;
    const auto why = failure_of(tracked, state);
    auto blocks = confirmations_of(lane, memory, tracked);
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

std::optional<Nonce> lowest_watched(const LaneMemory& memory) {
    auto lowest = memory.blocks.lowest_settled();
    if (!memory.tracked.empty())
        lowest = std::min(lowest.value_or(memory.tracked.begin()->first), memory.tracked.begin()->first);
    return lowest;
}

// Other systems use nonces between ours, and some were released: only nonces below a final one are certainly consumed.
// A nonce that is allocated in this turn may be below as well. If nothing is left to watch, the cursor moves back over
// released nonces, otherwise the submitter would never be finished.
void move_watch_of_shared(const LaneMemory& memory, Turn& turn) {
    const auto watched = lowest_watched(memory);
    auto lowest = memory.watch_from;
    if (!watched || memory.finalized_below <= *watched) lowest = std::max(lowest, memory.finalized_below);
    if (lowest > memory.watch_from) turn.watch_from(lowest);
    if (!watched && lowest < memory.window.next()) turn.move_cursor(memory.window.next(), lowest);
}

}  // namespace

void move_watch(const LaneContext& lane, LaneMemory& memory, Turn& turn) {
    if (!memory.watch_may_move || (lane.nonces.is_shared() && turn.allocates())) return;
    memory.watch_may_move = false;
    if (lane.nonces.is_shared()) return move_watch_of_shared(memory, turn);
    const auto lowest = lowest_watched(memory).value_or(memory.window.next());
    if (lowest > memory.watch_from) turn.watch_from(lowest);
}

bool needs_reason(const Tracked& tracked) {
    if (!is_mined(tracked.tx) || is_settled(tracked.tx) || tracked.tx.receipt->succeeded || tracked.failure)
        return false;
    return tracked.tx.attempt_with(tracked.tx.receipt->hash)->kind != AttemptKind::filler;
}

void settle_if_final(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn) {
    if (is_settled(tracked.tx) || turn.has_new_receipt(tracked.tx) || !is_final_now(lane, memory, tracked)) return;
    if (!needs_reason(tracked)) settle(lane, memory, tracked, turn);
}

void start_reason_query(LaneContext& lane, Tracked& tracked) {
    tracked.reason.start();
    lane.spawn(explain(&lane, *tracked.tx.receipt));
}

void handle_reason(const LaneContext& lane, LaneMemory& memory, const FailureExplained& explained) {
    auto* tracked = memory.touch(explained.hash);
    if (tracked == nullptr) return;
    tracked->reason.running = false;
    if (!is_mined(tracked->tx) || tracked->tx.receipt->hash != explained.hash) return;
    if (!explained.reason) lane.retry(tracked->reason);
    if (explained.reason || tracked->reason.failures >= max_reason_queries)
        tracked->failure = explained.reason.value_or("reverted; the reason could not be read");
}

}  // namespace fencepost::lane
