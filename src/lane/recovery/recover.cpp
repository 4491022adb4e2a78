#include "lane/recovery/recover.hpp"

#include <algorithm>

#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/grey_zone.hpp"
#include "lane/broadcast/window.hpp"
#include "lane/loop/wake_ups.hpp"

namespace fencepost::lane {
namespace {

// For a transaction without stored facts: its first send has no answer yet, or an older version wrote it. Its clocks
// start anew, rather late than early.
TxFacts facts_unknown(const LaneContext& lane, const Transaction& tx) {
    const auto now = lane.now();
    const auto& options = lane.options;
    return {.resend_due = now + options.resubmit_interval,
            .bump_due = now + options.bump.min_interval,
            .stuck_due = now + options.stuck_after,
            .send_claimed =
                is_forked(tx) || tx.attempts.size() > 1 || !tx.claims.empty() || tx.position.state == State::allocated,
            .was_held = tx.position.state != State::allocated};
}

void resume(const LaneContext& lane, Tracked& tracked, const LaneState& state, const ReadAt& read_at) {
    const auto now = lane.now();
    const auto& options = lane.options;
    tracked.receipts.due = now + (options.fetch_receipt_upon_entry ? Duration{} : options.stale_receipt_timeout);
    const auto known = state.sendings.find(tracked.tx.id);
    const auto* sending = known == state.sendings.end() ? nullptr : &known->second;
    tracked.facts = facts_at_opening(lane, tracked.tx, sending, read_at);
    // Pools may have lost it meanwhile: the first queries show.
    if (is_in_flight(tracked.tx) && tracked.tx.position.state != State::allocated) tracked.sent_at = now;
    if (sending == nullptr) return;
    tracked.accepted_at = read_at.monotonic - sending->since_accepted;
    tracked.error = sending->error;
}

// The last owner may have stopped before they were sent.
bool may_be_unsent(const Tracked& tracked) {
    if (!is_in_flight(tracked.tx)) return false;
    return tracked.tx.position.state == State::allocated || tracked.facts.send_claimed;
}

}  // namespace

TxFacts facts_at_opening(const LaneContext& lane, const Transaction& tx, const Sending* sending,
                         const ReadAt& read_at) {
    auto facts = facts_unknown(lane, tx);
    if (sending != nullptr && sending->progress) {
        facts = facts_of(*sending->progress, sending->since_progress, read_at.monotonic, read_at.node_time);
    } else if (sending != nullptr && sending->since_first) {
        // Measured by the database clock alone, which may have been adjusted (seeds 9395 and 13016): it starts anew,
        // too.
        facts.first_sent = read_at.monotonic;
    }
    if (is_mined(tx)) clear_failures(facts);
    return facts;
}

void recover_transactions(LaneContext& lane, LaneMemory& memory, const LaneState& state, const ReadAt& read_at) {
    std::vector<Nonce> unsent;
    for (const auto& tx : state.watched) {
        const auto intent = state.intents.find(tx.id);
        memory.start_tracking(tx, intent == state.intents.end() ? Intent{} : intent->second);
        auto& tracked = memory.tracked.at(*tx.nonce);
        for (const auto& attempt : tx.attempts)
            lane.watch.expect(attempt.hash, lane.listener);
        resume(lane, tracked, state, read_at);
        update_indexes(lane, memory, tracked);
        tracked.was_ever_mined = is_mined(tx);
        if (is_mined(tx)) continue;
        if (!tx.claims.empty()) {
            restore_claims(lane, tracked);
        } else if (may_be_unsent(tracked) && memory.is_behind_gap(*tx.nonce)) {
            tracked.facts.resend_due = lane.now();  // a reorg removed settled transactions below, and their bytes go
                                                    // first
        } else if (may_be_unsent(tracked)) {
            unsent.push_back(*tx.nonce);
        }
    }
    update_window(lane, memory);
    start_send(lane, memory, unsent);
}

}  // namespace fencepost::lane
