#include "lane/broadcast/submit.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/grey_zone.hpp"

namespace fencepost::lane {
namespace {

// Only a recognised refusal proves that it was not sent.
bool may_have_been_sent(SendOutcome outcome) {
    return is_held(outcome) || outcome == SendOutcome::nonce_too_low || outcome == SendOutcome::unknown;
}

Task<Submitted> ask(LaneContext* context, ClaimedSend claim) {
    auto& lane = *context;
    auto& connector = *lane.connector();
    Submitted submitted{
        .nonce = claim.nonce, .claim = claim, .answer = co_await connector.send(unsigned_of(lane.submitter, claim))};
    submitted.hash = submitted.answer.hash;
    if (submitted.hash || !may_have_been_sent(submitted.answer.outcome)) co_return submitted;
    if (!connector.abilities().hash_recomputation) co_return submitted;
    const auto derived = co_await connector.hash_of(unsigned_of(lane.submitter, claim));
    if (derived) submitted.hash = *derived;
    co_return submitted;
}

bool is_uncertain(const Submitted& submitted) {
    return !submitted.hash && may_have_been_sent(submitted.answer.outcome);
}

Task<void> submit(LaneContext* context, std::vector<ClaimedSend> claims, std::function<bool(Nonce)> may_ask) {
    auto& lane = *context;
    std::size_t next = 0;
    bool stop = false;
    NotSent kept;
    // The lease may expire while the connector works, or a queued transaction may be mined.
    for (; next < claims.size() && !stop && lane.may_act(); ++next) {
        if (!may_ask(claims[next].nonce)) {
            kept.nonces.push_back(claims[next].nonce);
            continue;
        }
        auto submitted = co_await ask(&lane, claims[next]);
        stop = is_uncertain(submitted);
        lane.inbox.put(std::move(submitted));
    }
    for (; next < claims.size(); ++next)
        kept.nonces.push_back(claims[next].nonce);
    if (!kept.nonces.empty()) lane.inbox.put(std::move(kept));
}

// An acceptance without a hash is not reliable.
SendReport report_of(const LaneContext& lane, const Submitted& submitted) {
    auto outcome = submitted.answer.outcome;
    auto message = submitted.answer.message;
    if (is_held(outcome) && !submitted.hash) {
        message = fmt::format("{}, without a hash{}{}", name_of(outcome), message.empty() ? "" : ": ", message);
        outcome = SendOutcome::unknown;
    }
    return {.answers = {{lane.connector()->name(), outcome, std::move(message)}}};
}

// True when the hash is new.
bool record_hash(Tracked& tracked, const ClaimedSend& claim, const TxHash& hash, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.next.attempt_with(hash) != nullptr) return false;
    const bool first = edit.next.attempts.empty();
    const auto attempt = attempt_of(claim, hash);
    edit.next.add(attempt);
    edit.update.attempts.push_back(attempt);
    // For ALLOCATED the event follows with the transition.
    if (first && edit.next.position.state != State::allocated) edit.tell(TxSubmitted{hash});
    return true;
}

// Only its hash is certain: it is looked up, and sent again if no endpoint has it.
void track_derived(const LaneContext& lane, Tracked& tracked, const TxHash& hash, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    if (edit.move(Trigger::submit_unknown) != Moved::yes || edit.move(Trigger::submission_found) != Moved::yes) return;
    edit.tell(TxSubmitted{hash});
    edit.note(HistoryKind::diagnosed,
              fmt::format("no hash was reported; computed hash {}", to_hex_prefixed(hash.view())));
    lane.world.telemetry.count(Counter::grey_zone, name_of(GreyZoneEvent::derived));
}

}  // namespace

ClaimedSend claim_of(AttemptKind kind, UnsignedTransaction transaction) {
    return {.kind = kind,
            .nonce = transaction.nonce,
            .to = std::move(transaction.to),
            .value = transaction.value,
            .data = std::move(transaction.data),
            .gas_limit = transaction.gas_limit,
            .fees = transaction.fees};
}

UnsignedTransaction unsigned_of(const SubmitterId& submitter, const ClaimedSend& claim) {
    return {.from = submitter,
            .nonce = claim.nonce,
            .to = claim.to,
            .value = claim.value,
            .data = claim.data,
            .gas_limit = claim.gas_limit,
            .fees = claim.fees};
}

void start_submit(LaneContext& lane, const LaneMemory& memory, std::vector<ClaimedSend> claims) {
    auto may_ask = [open = memory.send_guard.lane()](Nonce nonce) {
        const auto* lane_memory = *open;
        if (lane_memory == nullptr) return false;
        const auto found = lane_memory->tracked.find(nonce);
        return found != lane_memory->tracked.end() && !is_mined(found->second.tx);
    };
    if (!claims.empty()) lane.spawn(submit(&lane, std::move(claims), std::move(may_ask)));
}

void handle_submitted(LaneContext& lane, LaneMemory& memory, const Submitted& submitted, Turn& turn) {
    auto* found = memory.touch(submitted.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    if (submitted.hash) record_hash(tracked, submitted.claim, *submitted.hash, turn);
    const auto report = report_of(lane, submitted);
    handle_sent(lane, memory, {.items = {{submitted.nonce, submitted.hash.value_or(TxHash{}), report}}}, turn);
    if (is_uncertain(submitted)) {
        if (tracked.tx.attempts.empty()) enter_grey_zone(lane, tracked, report.answers.front().message, turn);
    } else if (submitted.hash && turn.edit(tracked.tx).next.position.state == State::allocated) {
        track_derived(lane, tracked, *submitted.hash, turn);
    }
}

Task<RpcResult<std::optional<ClaimedSend>>> match_claim(LaneContext* context, TxHash hash,
                                                        std::vector<ClaimedSend> claims) {
    auto& lane = *context;
    if (lane.connector() == nullptr) {
        co_return err(RpcError{RpcError::Kind::unsupported, "no connector for this submitter on this node"});
    }
    for (const auto& claim : claims) {
        const auto same = co_await lane.connector()->is_same(hash, unsigned_of(lane.submitter, claim));
        if (!same) co_return err(same.error());
        if (*same) co_return claim;
    }
    co_return std::nullopt;
}

void handle_found(LaneContext& lane, LaneMemory& memory, const SubmissionFound& found, Turn& turn) {
    auto* at = memory.touch(found.nonce);
    if (at == nullptr) return;
    auto& tracked = *at;
    auto& edit = turn.edit(tracked.tx);
    if (!record_hash(tracked, found.claim, found.hash, turn)) return;
    if (edit.next.position.state == State::unknown_submit_result) {
        std::ignore = edit.move(Trigger::submission_found);
        // A gap filler that is not recorded yet is not needed any more.
        if (tracked.wanted && tracked.wanted->commands.empty()) tracked.wanted.reset();
    }
    edit.update.error = "";
    edit.update.next_action_in = lane.options.resubmit_interval;
    edit.note(HistoryKind::diagnosed, fmt::format("{}: {}", name_of(found.how), to_hex_prefixed(found.hash.view())));
    lane.world.telemetry.count(Counter::grey_zone, name_of(found.how));
    tracked.receipts.due = lane.now();
    // A hash alone does not prove that a node has it.
    tracked.facts.missing = found.how == GreyZoneEvent::derived;
    tracked.facts.resend_due = lane.now() + lane.options.resubmit_interval;
    tracked.facts.bump_due = lane.now() + lane.options.bump.min_interval;
}

}  // namespace fencepost::lane
