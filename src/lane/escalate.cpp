#include "lane/escalate.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "lane/replace.hpp"

namespace fencepost::lane {
namespace {

std::optional<TxHash> latest_hash(const Transaction& tx) {
    return tx.attempts.empty() ? std::nullopt : std::optional(tx.attempts.back().hash);
}

bool is_under_way(const Tracked& tracked) {
    return tracked.sending || tracked.replacing || tracked.put_off || tracked.wanted.has_value();
}

std::ptrdiff_t bumps_of(const Tracked& tracked) {
    return std::ranges::count(tracked.tx.attempts, AttemptKind::bump, &Attempt::kind);
}

// A filler is bumped whether or not intents are: its nonce must be consumed, and it has a cap of its own.
bool may_bump(const LaneContext& lane, const Tracked& tracked) {
    // Where nobody knows whether anything was sent, looking comes first.
    if (tracked.tx.position.state == State::unknown_submit_result) return false;
    if (tracked.capped || tracked.tx.position.sub == SubState::underfunded || tracked.handed_over) return false;
    if (tracked.is_abandoned()) return true;
    return lane.options.bump.enabled && bumps_of(tracked) < lane.options.bump.max_attempts;
}

// Not behind a nonce that no endpoint has: no price gets it mined (failure 10).
void want_bumps(const LaneContext& lane, LaneMemory& memory) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (!tracked.is_pending()) continue;
        if (!is_under_way(tracked) && tracked.bump_at <= lane.now() && may_bump(lane, tracked)) {
            tracked.want({.kind = AttemptKind::bump});
        }
        if (tracked.missing) return;
    }
}

bool is_too_old(const LaneContext& lane, const Tracked& tracked) {
    return tracked.first_sent && lane.now() - *tracked.first_sent >= lane.options.transaction_timeout;
}

// Only where nothing more urgent is said.
bool is_silent(Position position) { return position.sub == SubState::none || position.sub == SubState::stale; }

void time_out(LaneContext& lane, Tracked& tracked, Turn& turn) {
    if (!is_too_old(lane, tracked) || tracked.is_abandoned()) return;
    if (lane.options.fail_on_timeout) {
        tracked.want({.kind = AttemptKind::filler, .why = Abandonment::timed_out});
        return;
    }
    if (!is_silent(tracked.tx.position) || turn.has_moved(tracked.tx.id) || !tracked.tx.may(Trigger::time_out)) return;
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::time_out) != Moved::yes) return;
    edit.note(HistoryKind::diagnosed,
              fmt::format("not mined after {}; it is tried on",
                          std::chrono::duration_cast<std::chrono::seconds>(lane.options.transaction_timeout)));
}

// Until it is mined or may offer more, whatever was said in between.
void stay_capped(const Tracked& tracked, Turn& turn) {
    if (!tracked.capped || !is_silent(tracked.tx.position) || turn.has_moved(tracked.tx.id)) return;
    if (!tracked.tx.may(Trigger::fee_capped)) return;
    std::ignore = turn.edit(tracked.tx).move(Trigger::fee_capped);
}

void give_up(LaneContext& lane, Tracked& tracked, Turn& turn) {
    if (tracked.tx.position.state == State::unknown_submit_result) return;  // grey_zone.hpp
    const bool used_up = tracked.tries > lane.options.resubmit.max_attempts;
    if (tracked.is_abandoned() || (!used_up && tracked.stuck_at > lane.now())) return;
    if (!tracked.tx.may(Trigger::give_up) || turn.has_moved(tracked.tx.id)) return;
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::give_up) != Moved::yes) return;
    edit.note(HistoryKind::stuck,
              used_up ? fmt::format("sent {} times without a receipt", tracked.tries) : "not mined for too long");
    tracked.tries = 0;
    tracked.stuck_at = lane.now() + lane.options.stuck_after;
    tracked.decided = false;
}

// One that never got a nonce costs nothing to give up.
void time_out_queued(LaneContext& lane, const QueueItem& item, Turn& turn) {
    if (lane.now() - item.accepted_at < lane.options.transaction_timeout || turn.has_moved(item.queued.id)) return;
    auto& edit = turn.edit(item.queued);
    if (edit.move(Trigger::time_out) != Moved::yes) return;
    edit.update.error = "timed out";
    edit.tell(TxFailed{"timed out"});
    edit.note(HistoryKind::cancelled, "timed out before it got a nonce");
}

Task<void> decide(LaneContext* context, StuckReport report) {
    auto& lane = *context;
    const auto nonce = report.nonce;
    const auto decision = co_await lane.world.stuck_policy.decide(std::move(report));
    lane.inbox.put(StuckDecided{nonce, decision});
}

void hand_over(Tracked& tracked, Turn& turn) {
    tracked.handed_over = true;
    turn.call_person(tracked.tx, "it is stuck, and a person must decide");
}

}  // namespace

void escalate(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    drop_pointless_wishes(lane, memory, turn);
    for (auto& [nonce, tracked] : memory.tracked) {
        if (!tracked.is_pending() || turn.has_new_receipt(tracked.tx) || is_under_way(tracked)) continue;
        stay_capped(tracked, turn);
        time_out(lane, tracked, turn);
        give_up(lane, tracked, turn);
    }
    want_bumps(lane, memory);
    if (!lane.options.fail_on_timeout) return;
    for (const auto& [sequence, item] : memory.queue)
        time_out_queued(lane, item, turn);
}

void start_deciding(LaneContext& lane, LaneMemory& memory) {
    for (auto& [nonce, tracked] : memory.tracked) {
        const bool is_stuck = tracked.is_pending() && tracked.tx.position.state == State::stuck;
        // Where something is wanted already, somebody has decided.
        if (!is_stuck || tracked.decided || tracked.deciding || tracked.wanted) continue;
        tracked.deciding = true;
        lane.send_out(
            decide(&lane, {.tx = tracked.tx.id,
                           .submitter = lane.submitter,
                           .nonce = nonce,
                           .latest = latest_hash(tracked.tx),
                           .attempts = tracked.tx.attempts.size(),
                           .age = tracked.first_sent ? std::optional(lane.now() - *tracked.first_sent) : std::nullopt,
                           .error = tracked.error}));
    }
}

void take_decision(LaneContext& lane, LaneMemory& memory, const StuckDecided& decided, Turn& turn) {
    const auto found = memory.tracked.find(decided.nonce);
    if (found == memory.tracked.end()) return;
    auto& tracked = found->second;
    tracked.deciding = false;
    // Meanwhile it may have been mined, or a person may have decided.
    if (!tracked.is_pending() || tracked.tx.position.state != State::stuck || tracked.wanted) return;
    tracked.decided = true;
    turn.edit(tracked.tx).note(HistoryKind::stuck, fmt::format("decided: {}", name_of(decided.decision)));
    lane.world.telemetry.count(Counter::stuck_decision, name_of(decided.decision));
    switch (decided.decision) {
        case StuckDecision::wait:
            return;
        case StuckDecision::bump:
            return tracked.want({.kind = AttemptKind::bump, .asked = true});
        case StuckDecision::filler:
            return tracked.want({.kind = AttemptKind::filler, .why = Abandonment::timed_out});
        case StuckDecision::hand_to_person:
            return hand_over(tracked, turn);
    }
}

void resume_timers(const LaneContext& lane, Tracked& tracked, const LaneState& state) {
    const auto now = lane.now();
    tracked.resend_at = now + lane.options.resubmit_interval;
    tracked.bump_at = now + lane.options.bump.min_interval;
    tracked.stuck_at = now + lane.options.stuck_after;
    const auto known = state.sendings.find(tracked.tx.id);
    if (known == state.sendings.end()) return;
    const auto& sending = known->second;
    tracked.resend_at = now + std::max(sending.next_action_in, lane.options.resubmit_interval);
    tracked.error = sending.error;
    if (!sending.since_first) return;
    tracked.first_sent = now - *sending.since_first;
    tracked.stuck_at = std::max(now, *tracked.first_sent + lane.options.stuck_after);
}

Instant next_escalation(const LaneContext& lane, const Tracked& tracked) {
    const auto too_old = tracked.first_sent ? *tracked.first_sent + lane.options.transaction_timeout : Instant{};
    Instant next{};
    for (const auto at : {tracked.replace_at, tracked.bump_at, tracked.stuck_at, too_old}) {
        if (at > lane.now() && (next == Instant{} || at < next)) next = at;
    }
    return next;
}

}  // namespace fencepost::lane
