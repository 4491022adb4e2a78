#include "lane/broadcast.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lane/recycle.hpp"
#include "lane/send_report.hpp"
#include "lane/submit.hpp"

namespace fencepost::lane {
namespace {

struct Job {
    Nonce nonce;
    TxHash hash;
    Bytes raw;
};

Task<void> send(LaneContext* context, std::vector<Job> jobs) {
    auto& lane = *context;
    // The lease may have gone while this task waited for its turn.
    if (!lane.may_act()) {
        NotSent kept;
        std::ranges::transform(jobs, std::back_inserter(kept.nonces), &Job::nonce);
        lane.inbox.put(std::move(kept));
        co_return;
    }
    std::vector<Bytes> raws;
    Sent sent;
    for (auto& job : jobs) {
        sent.items.push_back({job.nonce, job.hash, {}});
        raws.push_back(std::move(job.raw));
    }
    lane.world.telemetry.measure(Size::send_batch, raws.size());
    auto reports = co_await lane.chain().send(std::move(raws));
    for (std::size_t i = 0; i < sent.items.size(); ++i)
        sent.items[i].report = std::move(reports[i]);
    lane.inbox.put(std::move(sent));
}

// What is more urgent than "sent again" and "taken" goes on being said.
bool keeps_saying(Position position) {
    if (position.state == State::stuck) return false;
    return position.sub == SubState::timeout || position.sub == SubState::fee_capped ||
           position.sub == SubState::underfunded;
}

// A resend that was accepted, not known already, had been missing: the pauses begin anew.
void set_pace(const LaneContext& lane, Tracked& tracked, const SendReport& report) {
    const bool held = is_held(report);
    tracked.may_be_held = tracked.may_be_held || held || says(report, SendOutcome::unknown);
    tracked.missing = !held && !says(report, SendOutcome::nonce_too_low);
    tracked.sends_unheard = held ? 0 : tracked.sends_unheard + 1;
    if (says(report, SendOutcome::accepted)) tracked.resends = 0;
    if (is_answered(report)) ++tracked.tries;
    if (!tracked.first_sent) {
        tracked.first_sent = lane.now();
        if (tracked.accepted_at)
            lane.world.telemetry.observe(Latency::accept_to_send, lane.now() - *tracked.accepted_at);
    }
    const auto pause = held ? lane.resubmit_pause(tracked.resends) : lane.backoff(tracked.sends_unheard);
    tracked.resend_at = lane.now() + pause;
}

void take_held(Tracked& tracked, const TxHash& hash, Edit& edit) {
    const auto position = edit.next.position;
    const bool first = position.state == State::allocated;
    const bool paid = position.sub == SubState::underfunded;  // it is not any more
    if ((first || paid || !keeps_saying(position)) && edit.move(Trigger::send_accepted) == Moved::yes && first) {
        edit.tell(TxSubmitted{hash});
    }
    // A verdict's reason stays, and why it was refused, until that is the verdict.
    if (!tracked.is_settled() && !tracked.is_abandoned()) edit.update.error = "";
}

void take_unpayable(const LaneContext& lane, const Tracked& tracked, Edit& edit, Turn& turn) {
    if (edit.next.position.sub == SubState::underfunded || edit.move(Trigger::underfunded) != Moved::yes) return;
    edit.note(HistoryKind::diagnosed, "the account cannot pay for it; it waits, and nothing more is started");
    turn.alert(alert_of(AlertKind::underfunded, lane.submitter,
                        fmt::format("The account cannot pay for what is in flight: transaction {}", tracked.tx.id)));
}

// Also one that an endpoint took once: then all there are must say so.
void count_refusals(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, const SendReport& report,
                    Turn& turn) {
    if (!is_answered(report)) return;
    const bool was_taken = tracked.tx.position.state != State::allocated;
    const bool refused = is_refused_for_good(report, lane.options) &&
                         !(was_taken && says(report, SendOutcome::unknown)) && !tracked.is_abandoned();
    tracked.refusals = refused ? tracked.refusals + 1 : 0;
    if (tracked.refusals < lane.options.refusal_rounds) return;
    tracked.error = in_words(report);
    if (may_recycle(lane, memory, tracked, turn)) {
        fail_and_recycle(lane, tracked, refused_by_nodes(tracked.error), turn);
        return;
    }
    tracked.want({.kind = AttemptKind::filler, .why = Abandonment::refused});
}

void take_one(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, const Sent::Item& item, Turn& turn) {
    tracked.sending = false;
    lane.world.telemetry.count(Counter::tx_submit, label_of(item.report));
    set_pace(lane, tracked, item.report);
    auto& edit = turn.edit(tracked.tx);
    edit.update.sends += 1;
    edit.note(HistoryKind::broadcast, in_words(item.report));
    if (is_held(item.report)) {
        tracked.refusals = 0;
        take_held(tracked, item.hash, edit);
    } else if (tracked.is_pending()) {
        if (!tracked.is_abandoned()) edit.update.error = in_words(item.report);
        if (is_unpayable(item.report, lane.options)) take_unpayable(lane, tracked, edit, turn);
        count_refusals(lane, memory, tracked, item.report, turn);
    }
    // It says that the nonce is consumed: by one of ours, most likely. Look now, not when the block comes by.
    if (says(item.report, SendOutcome::nonce_too_low)) {
        tracked.ask_at = lane.now();
        tracked.suspicious = true;
    }
}

// Whether its bytes are to go out again at all, when their time has come.
bool is_resent(const LaneContext& lane, const Tracked& tracked) {
    if (tracked.is_mined() || tracked.lost || tracked.grey.unsure) return false;
    const auto position = tracked.tx.position;
    if (tracked.is_settled()) return position.sub == SubState::forked && !tracked.taken;
    if (position.state == State::stuck && (!tracked.decided || tracked.handed_over)) return false;
    if (!tracked.tx.may(Trigger::resubmit)) return false;
    // What no endpoint is known to have is not "again".
    return lane.options.resubmit.enabled || tracked.missing || position.state == State::allocated ||
           position.sub == SubState::forked || tracked.is_abandoned();
}

// A settled one that a reorg threw out keeps its verdict; only its bytes go out again.
bool put_resend_on_record(LaneContext& lane, Tracked& tracked, std::string why, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (!tracked.is_settled() && claim(edit) != Moved::yes) return false;
    const auto pause = lane.resubmit_pause(++tracked.resends);
    edit.update.next_action_in = pause;
    edit.note(HistoryKind::resubmitted, std::move(why));
    tracked.resend_at = lane.now() + pause;
    lane.world.telemetry.count(Counter::resubmit, "claimed");
    turn.send(*tracked.tx.nonce);
    return true;
}

}  // namespace

bool is_busy(const Tracked& tracked) { return tracked.sending || tracked.replacing || tracked.put_off; }

Moved claim(Edit& edit) {
    if (keeps_saying(edit.next.position)) return Moved::yes;
    return edit.move(Trigger::resubmit);
}

void start_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    std::vector<Job> jobs;
    std::vector<ClaimedSend> claims;
    for (const auto nonce : nonces) {
        const auto found = memory.tracked.find(nonce);
        if (found == memory.tracked.end()) continue;
        auto& tracked = found->second;
        tracked.put_off = tracked.sending || tracked.replacing;
        if (tracked.put_off) continue;
        // What a connector was to be asked for, only a connector can send.
        const bool by_connector = !tracked.tx.claims.empty();
        if (by_connector && lane.connector() == nullptr) continue;
        tracked.sending = true;
        if (by_connector) {
            claims.push_back(claim_to_send(tracked.tx));
            continue;
        }
        const auto& attempt = attempt_to_send(tracked.tx);
        jobs.push_back({nonce, attempt.hash, attempt.raw});
    }
    if (!jobs.empty()) lane.send_out(send(&lane, std::move(jobs)));
    start_submitting(lane, std::move(claims));
}

void start_put_off(LaneContext& lane, LaneMemory& memory) {
    std::vector<Nonce> nonces;
    for (auto& [nonce, tracked] : memory.tracked) {
        if (tracked.put_off && tracked.is_mined()) tracked.put_off = false;
        if (tracked.put_off && !tracked.sending && !tracked.replacing) nonces.push_back(nonce);
    }
    start_sending(lane, memory, nonces);
}

void take_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn) {
    for (const auto& item : sent.items) {
        const auto tracked = memory.tracked.find(item.nonce);
        if (tracked != memory.tracked.end()) take_one(lane, memory, tracked->second, item, turn);
    }
}

void take_not_sent(const LaneContext& lane, LaneMemory& memory, const NotSent& kept) {
    for (const auto nonce : kept.nonces) {
        const auto tracked = memory.tracked.find(nonce);
        if (tracked == memory.tracked.end()) continue;
        tracked->second.sending = false;
        tracked->second.resend_at = lane.now();
    }
}

// From the lowest nonce up. Behind one that no endpoint has, nothing can be mined: it goes first, alone (failure 10).
// Behind one of which nobody knows whether it was sent, nothing is sent, either.
void claim_resends(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    bool gap_below = false;
    for (auto& [nonce, tracked] : memory.tracked) {
        const bool behind_gap = gap_below;
        const bool grey = tracked.tx.position.state == State::unknown_submit_result;
        gap_below = gap_below || grey || (tracked.missing && tracked.is_in_flight() && !tracked.taken);
        if (behind_gap || is_busy(tracked) || tracked.resend_at > lane.now() || !is_resent(lane, tracked)) continue;
        put_resend_on_record(lane, tracked, {}, turn);
    }
}

bool claim_resend(LaneContext& lane, Tracked& tracked, const std::string& why, Turn& turn) {
    if (is_busy(tracked) || !put_resend_on_record(lane, tracked, why, turn)) return false;
    tracked.handed_over = false;  // a person has decided
    return true;
}

}  // namespace fencepost::lane
