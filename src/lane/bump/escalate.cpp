#include "lane/bump/escalate.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "lane/broadcast/broadcast.hpp"

namespace fencepost::lane {
namespace {

std::optional<TxHash> latest_hash(const Transaction& tx) {
    return tx.attempts.empty() ? std::nullopt : std::optional(tx.attempts.back().hash);
}

using Mark = TxDecision::Mark;

void time_out(const LaneContext& lane, const Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::time_out) != Moved::yes) return;
    edit.note(HistoryKind::diagnosed,
              fmt::format("not mined after {}; it is still resent",
                          std::chrono::duration_cast<std::chrono::seconds>(lane.options.transaction_timeout)));
}

void become_stuck(const LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::give_up) != Moved::yes) return;
    auto& facts = tracked.facts;
    const bool used_up = facts.tries > lane.options.resubmit.max_attempts;
    edit.note(HistoryKind::stuck,
              used_up ? fmt::format("sent {} times without a receipt", facts.tries) : "not mined for too long");
    facts.tries = 0;
    facts.stuck_due = lane.now() + lane.options.stuck_after;
    facts.stuck_decision.reset();
}

void mark(const LaneContext& lane, Mark mark, Tracked& tracked, Turn& turn) {
    switch (mark) {
        case Mark::none:
            return;
        case Mark::fee_capped:
            std::ignore = turn.edit(tracked.tx).move(Trigger::fee_capped);
            return;
        case Mark::timed_out:
            return time_out(lane, tracked, turn);
        case Mark::stuck:
            return become_stuck(lane, tracked, turn);
    }
}

// A transaction without a nonce can be abandoned at no cost.
void time_out_queued(LaneContext& lane, const QueueItem& item, Turn& turn) {
    if (lane.now() - item.accepted_at < lane.options.transaction_timeout || turn.has_moved(item.queued.id)) return;
    auto& edit = turn.edit(item.queued);
    if (edit.move(Trigger::time_out) != Moved::yes) return;
    edit.update.error = "timed out";
    edit.tell(TxFailed{"timed out"});
    edit.note(HistoryKind::cancelled, "timed out before it got a nonce");
}

Task<void> ask_policy(LaneContext* context, StuckReport report) {
    auto& lane = *context;
    const auto nonce = report.nonce;
    const auto decision = co_await lane.world.stuck_policy.decide(std::move(report));
    lane.inbox.put(StuckDecided{nonce, decision});
}

void hand_to_operator(Tracked& tracked, Turn& turn) {
    tracked.facts.with_operator = true;
    turn.alert_operator(tracked.tx, "it is STUCK, and an operator must decide");
}

}  // namespace

static TxContext tx_context(const LaneMemory& memory, const Tracked& tracked) {
    return {.activity = tracked.activity,
            .send_queued = tracked.send_queued,
            .replacement_wanted = tracked.wanted.has_value(),
            .behind_gap = !memory.may_send(*tracked.tx.nonce),
            .send_uncertain = tracked.send_uncertain,
            .nonce_used_externally = tracked.lost || tracked.taken != nullptr,
            .verified = is_verified(memory, tracked)};
}

TxDecision decide_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    return decide(tracked.tx, tracked.facts, tx_context(memory, tracked), lane.rules(), lane.now());
}

void apply_decision(LaneContext& lane, LaneMemory& memory, const TxDecision& decision, Tracked& tracked, Turn& turn) {
    // Reports received in this turn take precedence.
    const bool has_moved = turn.has_moved(tracked.tx.id);
    if (!has_moved) mark(lane, decision.mark, tracked, turn);
    switch (has_moved ? TxDecision::Replacement::none : decision.replacement) {
        case TxDecision::Replacement::none:
            break;
        case TxDecision::Replacement::bump:
            tracked.request_replacement({.kind = AttemptKind::bump});
            break;
        case TxDecision::Replacement::bump_as_decided:
            tracked.request_replacement({.kind = AttemptKind::bump, .asked = true});
            break;
        case TxDecision::Replacement::fill_as_decided:
        case TxDecision::Replacement::fill_timed_out:
            tracked.request_replacement({.kind = AttemptKind::filler, .why = Abandonment::timed_out});
            break;
        case TxDecision::Replacement::fill_refused:
            tracked.request_replacement({.kind = AttemptKind::filler, .why = Abandonment::refused});
            break;
    }
    if (decision.resend) claim_resend(lane, tracked, {}, turn);
    if (decision.waits_for_gap) memory.waiting_for_gap.insert(*tracked.tx.nonce);
}

void time_out_queue(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    if (!lane.options.fail_on_timeout) return;
    for (const auto& [sequence, item] : memory.queue) {
        time_out_queued(lane, item, turn);
    }
}

void start_policy_call(LaneContext& lane, Tracked& tracked) {
    tracked.policy.start();
    const auto& first_sent = tracked.facts.first_sent;
    lane.spawn(ask_policy(&lane, {.tx = tracked.tx.id,
                                  .submitter = lane.submitter,
                                  .nonce = *tracked.tx.nonce,
                                  .latest = latest_hash(tracked.tx),
                                  .attempts = tracked.tx.attempts.size(),
                                  .age = first_sent ? std::optional(lane.now() - *first_sent) : std::nullopt,
                                  .error = tracked.error}));
}

void handle_policy_decision(LaneContext& lane, LaneMemory& memory, const StuckDecided& decided, Turn& turn) {
    auto* found = memory.touch(decided.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    tracked.policy.answered({});
    // Meanwhile it may have been mined, or an operator may have decided.
    if (!is_pending(tracked.tx) || tracked.tx.position.state != State::stuck || tracked.wanted) return;
    tracked.facts.stuck_decision = decided.decision;
    turn.edit(tracked.tx).note(HistoryKind::stuck, fmt::format("decided: {}", name_of(decided.decision)));
    lane.world.telemetry.count(Counter::stuck_decision, name_of(decided.decision));
    // Other decisions are executed by decide(), which reads them from the facts: also after a takeover.
    if (decided.decision == StuckDecision::hand_to_person) hand_to_operator(tracked, turn);
}

}  // namespace fencepost::lane
