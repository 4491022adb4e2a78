#include "lane/broadcast/grey_zone.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/submit.hpp"

namespace fencepost::lane {
namespace {

using Finding = GreyZoneLookup::Finding;

bool is_grey(const Tracked& tracked) { return is_in_doubt(tracked.tx); }

void alert(const LaneContext& lane, const Tracked& tracked, std::string_view what, Turn& turn) {
    turn.alert(alert_of(AlertKind::grey_zone, lane.submitter,
                        fmt::format("transaction {} at nonce {}: {}", tracked.tx.id, *tracked.tx.nonce, what)));
}

// Computes the hash that it has if it was sent. True when one was found.
Task<bool> derive(LaneContext* context, Nonce nonce, std::vector<ClaimedSend> open) {
    auto& lane = *context;
    bool found = false;
    for (auto& claim : open) {
        const auto hash = co_await lane.connector()->hash_of(unsigned_of(lane.submitter, claim));
        if (!hash) continue;
        lane.inbox.put(SubmissionFound{nonce, std::move(claim), *hash, GreyZoneEvent::derived});
        found = true;
    }
    co_return found;
}

// Whether the transaction found at our nonce is the one we requested.
Task<Finding> compare(LaneContext* context, Nonce nonce, TxHash hash, std::vector<ClaimedSend> claims) {
    auto& lane = *context;
    auto match = co_await match_claim(&lane, hash, std::move(claims));
    if (!match) co_return Finding::unknown;
    if (!*match) co_return Finding::taken;
    lane.inbox.put(SubmissionFound{nonce, std::move(**match), hash, GreyZoneEvent::found});
    co_return Finding::found;
}

// No endpoint has reached the known head, or more than half did not answer: then the nonce is not known to be free (law
// 5).
Task<Finding> query_pools(LaneContext* context, Nonce nonce, std::vector<ClaimedSend> claims) {
    auto& lane = *context;
    const auto counts = co_await lane.chain().counts(lane.submitter);
    if (!counts || counts->latest > nonce || counts->answered * 2 <= counts->endpoints) co_return Finding::unknown;
    if (counts->pending <= nonce) co_return Finding::free;
    const auto waiting = co_await lane.chain().pending_at(lane.submitter, nonce);
    if (!waiting || !*waiting) co_return Finding::unknown;
    // An external transaction that is only pending may never be mined: no evidence yet.
    const auto finding = co_await compare(&lane, nonce, **waiting, std::move(claims));
    co_return finding == Finding::taken ? Finding::unknown : finding;
}

Task<Finding> look_up_by_nonce(LaneContext* context, Nonce nonce, std::vector<ClaimedSend> claims) {
    auto& lane = *context;
    if (lane.connector()->abilities().query_by_nonce) {
        const auto sent = co_await lane.connector()->sent_at(lane.submitter, nonce);
        if (sent && *sent && co_await compare(&lane, nonce, **sent, claims) == Finding::found) co_return Finding::found;
    }
    const auto use = co_await lane.chain().find_nonce_use(lane.submitter, nonce);
    if (!use) co_return Finding::unknown;
    if (!use->consumed) co_return co_await query_pools(&lane, nonce, std::move(claims));
    // Only with its hash.
    if (!use->by || !use->where || !use->where->block_hash) co_return Finding::unknown;
    const auto finding = co_await compare(&lane, nonce, *use->by, std::move(claims));
    if (finding == Finding::taken) {
        lane.world.telemetry.count(Counter::grey_zone, name_of(GreyZoneEvent::taken));
        lane.inbox.put(NonceTaken{nonce, *use->by, *use->where->block_number, *use->where->block_hash});
    }
    co_return finding;
}

Task<void> run_lookup(LaneContext* context, Nonce nonce, std::vector<ClaimedSend> claims,
                      std::vector<ClaimedSend> open) {
    auto& lane = *context;
    GreyZoneLookup result{.nonce = nonce};
    const bool derives = lane.connector()->abilities().hash_recomputation;
    if (derives && co_await derive(&lane, nonce, std::move(open))) {
        result.finding = Finding::found;
    } else if (lane.options.grey_zone.enabled) {
        result.finding = co_await look_up_by_nonce(&lane, nonce, std::move(claims));
    }
    lane.inbox.put(result);
}

// The scan is disabled, so nothing happens automatically. A cancel consumes the nonce, and a claim that appears on the
// chain after all is recognised when the nonce is looked up.
void hand_to_person(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::give_up) != Moved::yes) {
        tracked.look_up.due = lane.now() + lane.backoff(1);
        return;
    }
    constexpr auto why = "unknown whether it was sent, and the scan is disabled: an operator must decide";
    edit.update.error = why;
    edit.note(HistoryKind::stuck, why);
    tracked.facts.stuck_decision = StuckDecision::hand_to_person;
    tracked.facts.with_operator = true;
    lane.world.telemetry.count(Counter::grey_zone, name_of(GreyZoneEvent::handed_over));
    alert(lane, tracked, why, turn);
}

// The nonce must be consumed, and what is mined decides the verdict (law 4). Also with a shared key: if the nonce were
// released, the lost transaction might be mined after its caller was told that it failed (failure 28).
void abandon_claim(LaneContext& lane, Tracked& tracked, Turn& turn) {
    tracked.facts.lookup_deadline = lane.now() + lane.options.grey_zone.timeout;
    auto& edit = turn.edit(tracked.tx);
    edit.update.next_action_in = lane.options.grey_zone.timeout;
    if (is_abandoned(tracked.tx)) {
        // The gap filler was lost as well; it was looked up, so it may be requested again.
        edit.note(HistoryKind::resubmitted);
        tracked.facts.bump_due = lane.now() + lane.options.bump.min_interval;
        lane.world.telemetry.count(Counter::resubmit, "claimed");
        return turn.send(edit);
    }
    constexpr auto why = "not found within the time-out, and its nonce is free: a gap filler consumes it";
    edit.note(HistoryKind::diagnosed, why);
    lane.world.telemetry.count(Counter::grey_zone, name_of(GreyZoneEvent::timed_out));
    alert(lane, tracked, why, turn);
    tracked.request_replacement({.kind = AttemptKind::filler, .why = Abandonment::timed_out});
}

}  // namespace

void set_lookup_clocks(const LaneContext& lane, Tracked& tracked, Edit& edit) {
    const auto& rules = lane.options.grey_zone;
    edit.update.next_action_in = rules.timeout;
    tracked.send_uncertain = false;
    tracked.look_up = {.due = lane.now() + (rules.enabled ? rules.interval : Duration{})};
    tracked.facts.lookup_deadline = lane.now() + rules.timeout;
}

void enter_grey_zone(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::submit_unknown) != Moved::yes) return;
    set_lookup_clocks(lane, tracked, edit);
    edit.update.error = fmt::format("unknown whether it was sent: {}", why);
    edit.note(HistoryKind::diagnosed, *edit.update.error);
    lane.world.telemetry.count(Counter::grey_zone, name_of(GreyZoneEvent::entered));
    alert(lane, tracked, *edit.update.error, turn);
}

void restore_claims(const LaneContext& lane, Tracked& tracked) {
    const bool decided_otherwise = is_grey(tracked) || is_settled(tracked.tx) || has_lost_nonce(tracked.tx);
    // The result of the last request is not recorded.
    tracked.send_uncertain = tracked.facts.send_claimed && tracked.tx.attempts.empty() && !decided_otherwise;
    if (!is_grey(tracked)) return;
    tracked.look_up.due = lane.now();
    if (!tracked.facts.lookup_deadline) tracked.facts.lookup_deadline = lane.now() + lane.options.grey_zone.timeout;
}

void note_if_uncertain(LaneContext& lane, Tracked& tracked, Turn& turn) {
    if (!tracked.send_uncertain) return;
    enter_grey_zone(lane, tracked, "the previous owner may have requested it", turn);
    tracked.send_uncertain = false;
    tracked.look_up.due = lane.now();
}

bool needs_lookup(const LaneContext& lane, const Tracked& tracked) {
    // A running activity may find it.
    return is_grey(tracked) && lane.connector() != nullptr && tracked.is_idle() && !tracked.wanted;
}

void start_lookup(LaneContext& lane, Tracked& tracked) {
    tracked.look_up.start();
    lane.spawn(run_lookup(&lane, *tracked.tx.nonce, tracked.tx.claims, open_claims(tracked.tx)));
}

void handle_lookup(LaneContext& lane, LaneMemory& memory, const GreyZoneLookup& lookup, Turn& turn) {
    auto* found = memory.touch(lookup.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    const auto& rules = lane.options.grey_zone;
    tracked.look_up.answered(lane.now() + rules.interval);
    if (!is_grey(tracked) || turn.has_moved(tracked.tx.id)) return;
    if (!rules.enabled) return hand_to_person(lane, tracked, turn);
    if (lookup.finding != Finding::free) return;
    const auto give_up_at = tracked.facts.lookup_deadline.value_or(lane.now());
    if (lane.now() >= give_up_at) return abandon_claim(lane, tracked, turn);
    tracked.look_up.due = std::min(tracked.look_up.due, give_up_at);
}

}  // namespace fencepost::lane
