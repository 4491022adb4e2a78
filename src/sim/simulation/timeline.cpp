#include "sim/simulation/timeline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "domain/tx/requeue.hpp"
#include "domain/tx/transition_table.hpp"

namespace fencepost::sim {

Timeline::Timeline(const Subject& of) {
    if (const auto* tx = std::get_if<TxId>(&of)) tx_ = *tx;
    if (const auto* submitter = std::get_if<SubmitterId>(&of)) submitter_ = *submitter;
}

void Timeline::append(Instant now, const std::string& what) {
    const auto seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    lines_.push_back(fmt::format("{:>10.3f} s  {}", seconds, what));
}

void Timeline::see(Instant now, const DatabaseEvent& event) {
    std::visit([&](const auto& one) { append(now, one); }, event);
}

void Timeline::append(Instant now, const Accepted& accepted) {
    if (!tx_ || accepted.answer.id != *tx_) return;
    submitter_ = accepted.intent.submitter;
    append(now, fmt::format("{}: {} for {}", accepted.node, name_of(accepted.answer.kind), *submitter_));
}

void Timeline::append(Instant now, const Opened& opened) {
    if (submitter_ != opened.submitter || !opened.answer.fence) return;
    append(now, fmt::format("{}: lane {}, token {}", opened.node, name_of(opened.answer.result),
                            opened.answer.fence->token));
}

// Successful renewals are left out: they would hide everything else.
void Timeline::append(Instant now, const Renewed& renewed) {
    if (tx_ || submitter_ != renewed.claim.submitter) return;
    if (renewed.result == LeaseResult::renewed && holds(renewed.lease_before, renewed.claim.fence, renewed.executed_at))
        return;
    append(now, fmt::format("{}: lease renewal under token {}: {}", renewed.node, renewed.claim.fence.token,
                            name_of(renewed.result)));
}

void Timeline::append(Instant now, const Released& released) {
    if (tx_ || submitter_ != released.claim.submitter) return;
    append(now, fmt::format("{}: lease released under token {}", released.node, released.claim.fence.token));
}

void Timeline::append_lane_write(Instant now, const Committed& committed) {
    const auto& write = committed.write;
    if (submitter_ != write.submitter) return;
    std::string line = fmt::format("{}: a write about {} transactions, {} under token {}", committed.node,
                                   write.transactions.size(), name_of(committed.answer), write.fence.token);
    if (write.cursor) line += fmt::format(", cursor to {}", write.cursor->next);
    if (write.status) line += fmt::format(", now {} {}", name_of(write.status->status), write.status->reason);
    append(now, line);
}

void Timeline::append_requeue(Instant now, const Committed& committed) {
    for (const auto& other : committed.write.transactions) {
        if (!other.requeue || requeued_id(other.tx) != *tx_) continue;
        submitter_ = committed.write.submitter;
        append(now, fmt::format("{}: queued again {}, {} under token {}", committed.node, *other.requeue,
                                name_of(committed.answer), committed.write.fence.token));
    }
}

void Timeline::append(Instant now, const Committed& committed) {
    if (!tx_) return append_lane_write(now, committed);
    append_requeue(now, committed);
    const auto& updates = committed.write.transactions;
    const auto update = std::ranges::find(updates, *tx_, &TxUpdate::tx);
    if (update == updates.end()) return;
    std::string line = fmt::format("{}: {} → {}, {} under token {}", committed.node, update->expected, update->to,
                                   name_of(committed.answer), committed.write.fence.token);
    if (update->nonce) line += fmt::format(", nonce {}", *update->nonce);
    for (const auto& attempt : update->attempts) {
        hashes_.insert(attempt.hash);
        line += fmt::format(", {} {}", name_of(attempt.kind), to_hex_prefixed(attempt.hash.view()).substr(0, 10));
    }
    if (const auto* receipt = std::get_if<Receipt>(&update->receipt))
        line += fmt::format(", receipt in block {}", receipt->block_number);
    if (std::holds_alternative<RollBackReceipt>(update->receipt)) line += ", receipt rolled back";
    for (const auto& step : update->history)
        line += fmt::format("; {} {}", name_of(step.kind), step.detail);
    append(now, line);
}

void Timeline::see(const WireEntry& entry) {
    if (!hashes_.contains(entry.transaction.hash)) return;
    append(entry.left_at, fmt::format("{}: sent {} to {}", entry.node,
                                      to_hex_prefixed(entry.transaction.hash.view()).substr(0, 10), entry.endpoint));
}

}  // namespace fencepost::sim
