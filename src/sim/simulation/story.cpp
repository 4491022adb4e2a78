#include "sim/simulation/story.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hex.hpp"
#include "domain/requeue.hpp"
#include "domain/transition_table.hpp"

namespace fencepost::sim {

void Story::tell(Instant now, const std::string& what) {
    const auto seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    lines_.push_back(fmt::format("{:>10.3f} s  {}", seconds, what));
}

void Story::see(Instant now, const DatabaseEvent& event) {
    if (const auto* accepted = std::get_if<Accepted>(&event)) {
        if (accepted->answer.id != of_) return;
        submitter_ = accepted->intent.submitter;
        tell(now, fmt::format("{}: {} for {}", accepted->node, name_of(accepted->answer.kind), *submitter_));
    } else if (const auto* committed = std::get_if<Committed>(&event)) {
        tell(now, *committed);
    } else if (const auto* opened = std::get_if<Opened>(&event)) {
        if (submitter_ != opened->submitter || !opened->answer.fence) return;
        tell(now, fmt::format("{}: lane {}, token {}", opened->node, name_of(opened->answer.result),
                              opened->answer.fence->token));
    }
}

void Story::tell(Instant now, const Committed& committed) {
    const auto& updates = committed.write.transactions;
    for (const auto& other : updates) {
        if (!other.requeue || requeued_id(other.tx) != of_) continue;
        submitter_ = committed.write.submitter;
        tell(now, fmt::format("{}: queued again {}, {} under token {}", committed.node, *other.requeue,
                              name_of(committed.answer), committed.write.fence.token));
    }
    const auto update = std::ranges::find(updates, of_, &TxUpdate::tx);
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
    tell(now, line);
}

void Story::see(const WireEntry& entry) {
    if (!hashes_.contains(entry.transaction.hash)) return;
    tell(entry.left_at, fmt::format("{}: sent {} to {}", entry.node,
                                    to_hex_prefixed(entry.transaction.hash.view()).substr(0, 10), entry.endpoint));
}

}  // namespace fencepost::sim
