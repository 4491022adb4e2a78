#include "lane/recovery/recover.hpp"

#include <algorithm>

#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/grey_zone.hpp"

namespace fencepost::lane {
namespace {

void resume_clocks(const LaneContext& lane, Tracked& tracked, const LaneState& state) {
    const auto now = lane.now();
    const auto& options = lane.options;
    auto& facts = tracked.facts;
    facts.resend_due = now + options.resubmit_interval;
    facts.bump_due = now + options.bump.min_interval;
    facts.stuck_due = now + options.stuck_after;
    tracked.receipts.due = now + (options.fetch_receipt_upon_entry ? Duration{} : options.stale_receipt_timeout);
    const auto known = state.sendings.find(tracked.tx.id);
    if (known == state.sendings.end()) return;
    const auto& sending = known->second;
    tracked.accepted_at = now - sending.since_accepted;
    facts.resend_due = now + std::max(sending.next_action_in, options.resubmit_interval);
    tracked.error = sending.error;
    if (!sending.since_first) return;
    facts.first_sent = now - *sending.since_first;
    facts.stuck_due = std::max(now, *facts.first_sent + options.stuck_after);
}

// The last owner may have died before these left.
bool may_be_unsent(const Transaction& tx) {
    const bool replaced = is_pending(tx) && tx.attempts.size() > 1;
    return is_in_flight(tx) && (tx.position.state == State::allocated || is_forked(tx) || replaced);
}

}  // namespace

void recover_transactions(LaneContext& lane, LaneMemory& memory, const LaneState& state) {
    std::vector<Nonce> unsent;
    for (const auto& tx : state.watched) {
        const auto intent = state.intents.find(tx.id);
        memory.start_tracking(tx, intent == state.intents.end() ? Intent{} : intent->second);
        auto& tracked = memory.tracked.at(*tx.nonce);
        for (const auto& attempt : tx.attempts)
            lane.watch.expect(attempt.hash, lane.listener);
        resume_clocks(lane, tracked, state);
        tracked.was_ever_mined = is_mined(tx);
        if (is_mined(tx)) continue;
        if (!tx.claims.empty()) {
            resume_claims(lane, tracked, state);
        } else if (may_be_unsent(tx) && memory.is_behind_gap(*tx.nonce)) {
            tracked.facts.resend_due = lane.now();  // a reorg removed settled ones below, and their bytes go first
        } else if (may_be_unsent(tx)) {
            unsent.push_back(*tx.nonce);
        }
    }
    start_sending(lane, memory, unsent);
}

}  // namespace fencepost::lane
