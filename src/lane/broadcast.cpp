#include "lane/broadcast.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    auto reports = co_await lane.chain().send(std::move(raws));
    for (std::size_t i = 0; i < sent.items.size(); ++i)
        sent.items[i].report = std::move(reports[i]);
    lane.inbox.put(std::move(sent));
}

bool is_held(const SendReport& report) {
    return std::ranges::any_of(report.answers, [](const auto& answer) { return fencepost::is_held(answer.outcome); });
}

bool says(const SendReport& report, SendOutcome outcome) {
    return std::ranges::any_of(report.answers, [&](const auto& answer) { return answer.outcome == outcome; });
}

// The most telling answer: taken, refused in words we know, or nothing.
SendOutcome summary(const SendReport& report) {
    for (const auto& answer : report.answers)
        if (fencepost::is_held(answer.outcome)) return answer.outcome;
    for (const auto& answer : report.answers)
        if (answer.outcome != SendOutcome::unknown) return answer.outcome;
    return SendOutcome::unknown;
}

// The seeds' words for it; "resolved" is said when a receipt explains a nonce that was too low.
std::string_view label_of(SendOutcome outcome) {
    switch (outcome) {
        case SendOutcome::accepted:
            return "success";
        case SendOutcome::already_known:
            return "idempotent";
        case SendOutcome::unknown:
            return "grey_zone";
        case SendOutcome::intrinsic_gas:
        case SendOutcome::over_block_gas_limit:
        case SendOutcome::tip_above_cap:
        case SendOutcome::invalid_signature:
        case SendOutcome::rejected:
            return "rejected";
        case SendOutcome::nonce_too_low:
        case SendOutcome::nonce_too_high:
        case SendOutcome::replacement_underpriced:
        case SendOutcome::underpriced:
        case SendOutcome::fee_below_base_fee:
        case SendOutcome::node_fee_cap:
        case SendOutcome::insufficient_funds:
        case SendOutcome::pool_full:
            return "transient";
    }
    FP_UNREACHABLE();
}

std::string in_words(const SendReport& report) {
    std::vector<std::string> words;
    words.reserve(report.answers.size());
    for (const auto& answer : report.answers) {
        words.push_back(fmt::format("{}: {}{}{}", answer.endpoint, name_of(answer.outcome),
                                    answer.message.empty() ? "" : ", ", answer.message));
    }
    return words.empty() ? "no endpoint in service" : fmt::format("{}", fmt::join(words, "; "));
}

void take_one(LaneContext& lane, Tracked& tracked, const Sent::Item& item, Turn& turn) {
    tracked.sending = false;
    lane.world.telemetry.count(Counter::tx_submit, label_of(summary(item.report)));
    const bool held = is_held(item.report);
    tracked.sends_unheard = held ? 0 : tracked.sends_unheard + 1;
    tracked.resend_at = lane.now() + (held ? lane.options.resubmit_interval : lane.backoff(tracked.sends_unheard));

    auto& edit = turn.edit(tracked.tx);
    edit.update.sends += 1;
    edit.note(HistoryKind::broadcast, in_words(item.report));
    if (held) {
        const bool first = edit.next.position.state == State::allocated;
        if (edit.move(Trigger::send_accepted) == Moved::yes && first) edit.tell(TxSubmitted{item.hash});
        if (!tracked.is_settled()) edit.update.error = "";  // a verdict's reason stays
    } else if (!tracked.is_settled()) {
        edit.update.error = in_words(item.report);
    }
    // It says that the nonce is consumed: by one of ours, most likely. Look now, not when the block comes by.
    if (says(item.report, SendOutcome::nonce_too_low)) {
        tracked.ask_at = lane.now();
        tracked.suspicious = true;
    }
}

}  // namespace

void start_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    std::vector<Job> jobs;
    for (const auto nonce : nonces) {
        const auto found = memory.tracked.find(nonce);
        if (found == memory.tracked.end() || found->second.sending) continue;
        found->second.sending = true;
        const auto& attempt = found->second.tx.attempts.back();
        jobs.push_back({nonce, attempt.hash, attempt.raw});
    }
    if (!jobs.empty()) lane.send_out(send(&lane, std::move(jobs)));
}

void take_sent(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn) {
    for (const auto& item : sent.items) {
        const auto tracked = memory.tracked.find(item.nonce);
        if (tracked != memory.tracked.end()) take_one(lane, tracked->second, item, turn);
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

void claim_resends(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (tracked.is_mined() || tracked.sending || tracked.resend_at > lane.now()) continue;
        if (tracked.is_settled() && (tracked.tx.position.sub != SubState::forked || tracked.taken)) continue;
        if (!tracked.is_settled() && !tracked.tx.may(Trigger::resubmit)) continue;
        auto& edit = turn.edit(tracked.tx);
        const auto moved = edit.move(Trigger::resubmit);
        if (moved == Moved::later) continue;
        // A settled one that a reorg threw out keeps its verdict; only its bytes go out again.
        if (moved == Moved::never && !tracked.is_settled()) continue;
        edit.update.next_action_in = lane.options.resubmit_interval;
        edit.note(HistoryKind::resubmitted);
        tracked.resend_at = lane.now() + lane.options.resubmit_interval;
        lane.world.telemetry.count(Counter::resubmit, "claimed");
        turn.send(nonce);
    }
}

}  // namespace fencepost::lane
