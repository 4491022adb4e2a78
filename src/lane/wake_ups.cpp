#include "lane/wake_ups.hpp"

#include <algorithm>

#include "lane/broadcast.hpp"
#include "lane/escalate.hpp"
#include "lane/foreign.hpp"
#include "lane/funds.hpp"
#include "lane/grey_zone.hpp"
#include "lane/replace.hpp"
#include "lane/settle.hpp"
#include "lane/track.hpp"

namespace fencepost::lane {
namespace {

// No endpoint holds it, or nobody knows: nothing above can be mined before it is.
bool is_gap(const Tracked& tracked) {
    if (is_in_doubt(tracked.tx)) return true;
    return tracked.facts.missing && is_in_flight(tracked.tx) && !tracked.taken;
}

void list(std::set<Nonce>& index, Nonce nonce, bool& listed, bool wanted) {
    if (listed == wanted) return;
    listed = wanted;
    wanted ? (void)index.insert(nonce) : (void)index.erase(nonce);
}

/// What one turn starts; calls of one kind go in one.
struct Due {
    std::vector<Nonce> sends;
    std::vector<Nonce> receipts;
    std::vector<Nonce> replacements;
};

void start_one(LaneContext& lane, LaneMemory& memory, Tracked& tracked, Due& due, Instant& wake_at) {
    const auto now = lane.now();
    // True when it is to be asked now; otherwise the lane looks again when it is due.
    const auto is_due = [&](const Retry& question) {
        if (question.is_due(now)) return true;
        wake_at = std::min(wake_at, question.next());
        return false;
    };
    const auto nonce = *tracked.tx.nonce;
    if (is_ready_to_send(tracked)) due.sends.push_back(nonce);
    if (may_replace(tracked) && is_due(tracked.signing)) due.replacements.push_back(nonce);
    const auto decision = decide_now(lane, memory, tracked);
    wake_at = std::min(wake_at, decision.wake_at);
    // While the turn was committed its time may have come, or a gap may have opened below it.
    if (decision.records()) memory.touch(tracked);
    if (decision.waits_for_gap) memory.waiting_for_gap.insert(nonce);
    if (decision.ask_policy && is_due(tracked.policy)) start_deciding(lane, tracked);
    if (needs_look_up(lane, tracked) && is_due(tracked.look_up)) start_looking(lane, tracked);
    if (needs_receipts(tracked) && is_due(tracked.receipts)) due.receipts.push_back(nonce);
    if (needs_reason(tracked) && is_due(tracked.reason)) start_explaining(lane, tracked);
    if (needs_naming(lane, tracked) && is_due(tracked.external)) {
        start_naming_again(lane, tracked);
        wake_at = std::min(wake_at, tracked.external.next());
    }
}

}  // namespace

void update_indexes(const LaneContext& lane, LaneMemory& memory, Tracked& tracked) {
    const auto nonce = *tracked.tx.nonce;
    auto& listed = tracked.listed;
    const bool gap = is_gap(tracked);
    if (gap != listed.gap) gap ? memory.open_gap(nonce) : memory.close_gap(nonce);
    listed.gap = gap;
    list(memory.halting, nonce, listed.halts, is_underfunded(tracked.tx) || is_in_doubt(tracked.tx));
    list(memory.external, nonce, listed.external, is_taken(tracked));
    update_reserve(lane.options, memory, tracked);
}

void start_activities(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    Due due;
    for (const auto nonce : nonces) {
        if (auto* tracked = memory.find(nonce)) update_indexes(lane, memory, *tracked);
    }
    for (const auto nonce : nonces) {
        auto* tracked = memory.find(nonce);
        if (tracked == nullptr) continue;
        auto wake_at = Instant::max();
        start_one(lane, memory, *tracked, due, wake_at);
        memory.schedule(*tracked, wake_at);
    }
    start_sending(lane, memory, due.sends);
    start_replacing(lane, memory, due.replacements);
    start_asking(lane, memory, due.receipts);
}

}  // namespace fencepost::lane
