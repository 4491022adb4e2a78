#include "lane/broadcast/broadcast.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lane/allocate/recycle.hpp"
#include "lane/broadcast/pool_repair.hpp"
#include "lane/broadcast/send_report.hpp"
#include "lane/broadcast/submit.hpp"
#include "lane/broadcast/window.hpp"

namespace fencepost::lane {
namespace {

struct SendJob {
    Nonce nonce;
    TxHash hash;
    Bytes raw;
};

using MayLeave = std::function<bool(Nonce, const TxHash&)>;

Task<void> send(LaneContext* context, std::vector<SendJob> jobs, Purpose purpose, MayLeave may_still_send) {
    auto& lane = *context;
    // The lease may have been lost while this task was queued.
    if (!lane.may_act()) {
        NotSent kept;
        std::ranges::transform(jobs, std::back_inserter(kept.nonces), &SendJob::nonce);
        lane.inbox.put(std::move(kept));
        co_return;
    }
    SendBatch batch{.from = lane.submitter, .items = {}, .only = {}, .may_still_send = std::move(may_still_send)};
    Sent sent{.purpose = purpose};
    for (auto& job : jobs) {
        sent.items.push_back({job.nonce, job.hash, {}});
        batch.items.push_back({job.nonce, std::move(job.raw)});
    }
    lane.world.telemetry.measure(Size::send_batch, batch.items.size());
    auto reports = co_await lane.chain().send(std::move(batch));
    for (std::size_t i = 0; i < sent.items.size(); ++i)
        sent.items[i].report = std::move(reports[i]);
    lane.inbox.put(std::move(sent));
}

// Sub-states that are more important than STALE or none stay.
bool keeps_sub_state(Position position) {
    if (position.state == State::stuck) return false;
    return position.sub == SubState::timeout || position.sub == SubState::fee_capped ||
           position.sub == SubState::underfunded;
}

// A resend that was accepted as new had been missing: the resend intervals start again.
void schedule_resend(const LaneContext& lane, Tracked& tracked, const SendReport& report, Edit& edit) {
    auto& facts = tracked.facts;
    const bool held = is_held(report);
    facts.send_claimed = tracked.send_queued;  // another send was recorded meanwhile
    facts.may_be_held = facts.may_be_held || held || has_outcome(report, SendOutcome::unknown);
    facts.was_held = facts.was_held || held;
    facts.missing = !held && !has_outcome(report, SendOutcome::nonce_too_low);
    facts.unaccepted_sends = held ? 0 : facts.unaccepted_sends + 1;
    if (has_outcome(report, SendOutcome::accepted)) facts.resends = 0;
    // A full pool is no reason to abandon a transaction; the pools behind a connector are unknown.
    const bool lacks_room = lane.connector() == nullptr && is_refused_for_room(report);
    if (is_answered(report) && !lacks_room) ++facts.tries;
    if (!facts.first_sent) {
        facts.first_sent = lane.now();
        if (tracked.accepted_at)
            lane.world.telemetry.observe(Latency::accept_to_send, lane.now() - *tracked.accepted_at);
    }
    auto pause = held ? lane.resubmit_pause(facts.resends) : lane.backoff(facts.unaccepted_sends);
    // The next block frees space.
    if (lacks_room) pause = std::min(pause, lane.watch.block_interval().value_or(pause));
    facts.resend_due = lane.now() + pause;
    edit.update.next_action_in = pause;
}

void record_held(const Tracked& tracked, const TxHash& hash, Edit& edit) {
    const auto position = edit.next.position;
    const bool first = position.state == State::allocated;
    const bool paid = position.sub == SubState::underfunded;  // the account can pay again
    if ((first || paid || !keeps_sub_state(position)) && edit.move(Trigger::send_accepted) == Moved::yes && first) {
        edit.tell(TxSubmitted{hash});
    }
    // The reason of a verdict stays, and so does a refusal until it becomes the verdict.
    if (!is_settled(tracked.tx) && !is_abandoned(tracked.tx)) edit.update.error = "";
}

void record_unpayable(const LaneContext& lane, const Tracked& tracked, Edit& edit, Turn& turn) {
    if (edit.next.position.sub == SubState::underfunded || edit.move(Trigger::underfunded) != Moved::yes) return;
    edit.note(HistoryKind::diagnosed, "the account cannot pay for it; allocation stops until it is funded");
    turn.alert(alert_of(AlertKind::underfunded, lane.submitter,
                        fmt::format("The account cannot pay for a transaction in flight: {}", tracked.tx.id)));
}

// Also for a transaction that an endpoint accepted once: then all endpoints must refuse. Missing answers count neither
// way: a round with too few answers neither counts nor resets the count.
void count_refusals(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, const SendReport& report,
                    Turn& turn) {
    if (!is_answered(report)) return;
    const bool refused = is_permanently_refused(report, lane.options) &&
                         !(tracked.facts.was_held && has_outcome(report, SendOutcome::unknown)) &&
                         !is_abandoned(tracked.tx);
    auto& rounds = tracked.facts.refusal_rounds;
    if (contradicts_refusal(report)) rounds = 0;
    if (!refused || ++rounds < lane.options.refusal_rounds) return;
    tracked.error = describe(report);
    // Otherwise tx_decision.cpp decides on a gap filler.
    if (can_recycle(lane, memory, tracked, turn)) fail_and_recycle(lane, tracked, refusal_reason(tracked.error), turn);
}

void handle_one(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const Sent::Item& item, Turn& turn) {
    tracked.activity = Activity::idle;
    if (is_not_sent(item.report)) {
        tracked.withheld = true;
        return;
    }
    lane.world.telemetry.count(Counter::tx_submit, label_of(item.report));
    auto& edit = turn.edit(tracked.tx);
    schedule_resend(lane, tracked, item.report, edit);
    edit.update.sends += 1;
    edit.note(HistoryKind::broadcast, describe(item.report));
    if (is_held(item.report)) {
        tracked.absent = false;
        tracked.facts.refusal_rounds = 0;
        record_held(tracked, item.hash, edit);
    } else if (is_pending(tracked.tx)) {
        if (!is_abandoned(tracked.tx)) edit.update.error = describe(item.report);
        if (is_unpayable(item.report, lane.options)) record_unpayable(lane, tracked, edit, turn);
        count_refusals(lane, memory, tracked, item.report, turn);
    }
    if (!is_held(item.report)) react_to_refusal(lane, memory, tracked, item.report);
    // The nonce is consumed, most likely by one of our attempts: check now instead of waiting for the block.
    if (has_outcome(item.report, SendOutcome::nonce_too_low)) {
        tracked.receipts.due = lane.now();
        tracked.nonce_maybe_consumed = true;
    }
}

}  // namespace

Moved claim(Edit& edit) {
    if (keeps_sub_state(edit.next.position)) return Moved::yes;
    return edit.move(Trigger::resubmit);
}

void start_send(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces, Purpose purpose) {
    std::vector<SendJob> jobs;
    std::vector<ClaimedSend> claims;
    std::vector<Nonce> leaving;
    for (const auto nonce : nonces) {
        auto* tracked = memory.touch(nonce);
        if (tracked == nullptr) continue;
        const bool is_repair = purpose == Purpose::repair;
        if (is_repair && (tracked->is_busy() || !is_in_flight(tracked->tx) || tracked->wanted)) continue;
        tracked->send_queued = !tracked->is_idle();
        if (tracked->send_queued) continue;
        // A repair starts at the lowest missing nonce, and continues in order.
        const bool starts_repair = is_repair && tracked->absent;
        tracked->withheld = !starts_repair && !memory.may_send(nonce);
        tracked->lost_by_pools = tracked->withheld && is_repair;
        if (tracked->withheld) continue;
        // A claim for a connector can only be sent by the connector.
        const bool by_connector = !tracked->tx.claims.empty();
        if (by_connector && lane.connector() == nullptr) continue;
        tracked->activity = Activity::sending;
        leaving.push_back(nonce);
        if (by_connector) {
            claims.push_back(claim_to_send(tracked->tx));
            continue;
        }
        const auto& attempt = attempt_to_send(tracked->tx);
        jobs.push_back({nonce, attempt.hash, attempt.raw});
    }
    note_sending(lane, memory, leaving);
    if (!jobs.empty()) lane.spawn(send(&lane, std::move(jobs), purpose, send_permission(lane, memory)));
    start_submit(lane, memory, std::move(claims));
}

bool is_ready_to_send(const LaneMemory& memory, const Tracked& tracked) {
    if (!tracked.is_idle()) return false;
    // Its replacement is sent instead.
    if (tracked.lost_by_pools && tracked.wanted) return false;
    return tracked.send_queued || (tracked.withheld && memory.may_send(*tracked.tx.nonce));
}

// While a replacement is signed and recorded, nothing is sent at the nonce: the record may be committed before the lane
// knows.
std::function<bool(Nonce, const TxHash&)> send_permission(const LaneContext& lane, const LaneMemory& memory) {
    return [open = memory.send_guard.lane(), context = &lane](Nonce nonce, const TxHash& hash) {
        const auto* lane_memory = *open;
        if (lane_memory == nullptr || !context->may_act()) return false;
        const auto found = lane_memory->tracked.find(nonce);
        if (found == lane_memory->tracked.end()) return false;
        const auto& tracked = found->second;
        if (tracked.activity == Activity::signing || tracked.is_being_recorded) return false;
        if (is_mined(tracked.tx) || tracked.tx.attempts.empty()) return false;
        return attempt_to_send(tracked.tx).hash == hash;
    };
}

void handle_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn) {
    memory.pools.answered_at = lane.now();
    memory.pools.is_idle = false;
    if (sent.purpose == Purpose::repair) return handle_repaired(lane, memory, sent, turn);
    for (const auto& item : sent.items) {
        if (auto* tracked = memory.touch(item.nonce)) handle_one(lane, memory, *tracked, item, turn);
    }
}

void handle_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept) {
    for (const auto nonce : kept.nonces) {
        auto* tracked = memory.touch(nonce);
        if (tracked == nullptr) continue;
        tracked->activity = Activity::idle;
        tracked->facts.resend_due = lane.now();
    }
}

bool claim_resend(LaneContext& lane, Tracked& tracked, std::string why, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (!is_settled(tracked.tx) && claim(edit) != Moved::yes) return false;
    const auto pause = lane.resubmit_pause(++tracked.facts.resends);
    edit.update.next_action_in = pause;
    edit.note(HistoryKind::resubmitted, std::move(why));
    tracked.facts.resend_due = lane.now() + pause;
    lane.world.telemetry.count(Counter::resubmit, "claimed");
    turn.send(edit);
    return true;
}

bool claim_requested_resend(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn) {
    if (tracked.is_busy() || !claim_resend(lane, tracked, why, turn)) return false;
    tracked.facts.with_operator = false;  // an operator has decided
    tracked.facts.stuck_decision = StuckDecision::wait;
    return true;
}

}  // namespace fencepost::lane
