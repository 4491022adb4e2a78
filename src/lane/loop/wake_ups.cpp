#include "lane/loop/wake_ups.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/grey_zone.hpp"
#include "lane/bump/escalate.hpp"
#include "lane/bump/replace.hpp"
#include "lane/confirm/confirm.hpp"
#include "lane/confirm/settle.hpp"
#include "lane/prepare/funds.hpp"
#include "lane/recovery/verification.hpp"
#include "lane/track/external_tx.hpp"
#include "lane/track/track.hpp"

namespace fencepost::lane {
namespace {

// Not known to be held by any endpoint: nothing above can be mined before it.
bool is_gap(const Tracked& tracked) {
    if (is_in_doubt(tracked.tx)) return true;
    return (tracked.facts.missing || tracked.absent) && is_in_flight(tracked.tx) && !tracked.taken;
}

void list(std::set<Nonce>& index, Nonce nonce, bool& listed, bool wanted) {
    if (listed == wanted) return;
    listed = wanted;
    wanted ? (void)index.insert(nonce) : (void)index.erase(nonce);
}

bool needs_verification(const LaneMemory& memory, const Tracked& tracked, const TxDecision& decision) {
    return decision.verify || (tracked.wanted && tracked.waits_to_be_mined() && !is_verified(memory, tracked));
}

// Waits for the gap below to close, or for room in pools.
bool waits_for_room(const LaneMemory& memory, const Tracked& tracked, const TxDecision& decision) {
    return decision.waits_for_gap || (tracked.withheld && !memory.may_send(*tracked.tx.nonce));
}

/// What one turn starts; calls of one kind are batched.
struct Due {
    std::vector<Nonce> sends;
    std::vector<Nonce> repairs;
    std::vector<Nonce> receipts;
    std::vector<Nonce> replacements;
};

void start_one(LaneContext& lane, LaneMemory& memory, Tracked& tracked, Due& due, Instant& wake_at) {
    const auto now = lane.now();
    // True when it is due now; otherwise schedules its time.
    const auto is_due = [&](const Retry& question) {
        if (question.is_due(now)) return true;
        wake_at = std::min(wake_at, question.next());
        return false;
    };
    const auto nonce = *tracked.tx.nonce;
    if (is_mined(tracked.tx)) tracked.send_queued = tracked.withheld = false;
    if (is_ready_to_send(memory, tracked)) (tracked.lost_by_pools ? due.repairs : due.sends).push_back(nonce);
    if (may_replace(memory, tracked) && is_due(tracked.signing)) due.replacements.push_back(nonce);
    const auto decision = decide_now(lane, memory, tracked);
    if (needs_verification(memory, tracked, decision))
        wake_at = std::min(wake_at, start_verifying(lane, memory, tracked));
    wake_at = std::min(wake_at, decision.wake_at);
    // During the commit its deadline may have passed, or a gap may have opened below it.
    if (decision.records()) memory.touch(tracked);
    if (waits_for_room(memory, tracked, decision)) memory.waiting_for_gap.insert(nonce);
    if (decision.ask_policy && is_due(tracked.policy)) start_policy_call(lane, tracked);
    if (needs_lookup(lane, tracked) && is_due(tracked.look_up)) start_lookup(lane, tracked);
    if (needs_receipts(tracked) && is_due(tracked.receipts)) due.receipts.push_back(nonce);
    if (needs_reason(tracked) && is_due(tracked.reason)) start_reason_query(lane, tracked);
    if (needs_external_lookup(lane, tracked) && is_due(tracked.external)) {
        restart_external_lookup(lane, tracked);
        wake_at = std::min(wake_at, tracked.external.next());
    }
}

bool is_orphaned_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    if (!is_mined(tracked.tx)) return false;
    const auto* entry = memory.blocks.find(tracked.block());
    return entry == nullptr || entry->orphaned || is_orphaned(lane.watch.view(), tracked.block());
}

std::string_view missed_work(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    const auto decision = decide_now(lane, memory, tracked);
    if (decision.records()) return "something must be recorded";
    if (!is_mined(tracked.tx)) {
        if (is_ready_to_send(memory, tracked)) return "its bytes must be sent";
        if (waits_for_room(memory, tracked, decision) && !memory.waiting_for_gap.contains(*tracked.tx.nonce))
            return "it waits for room";
    }
    if (is_orphaned_now(lane, memory, tracked)) return "its block was removed";
    const bool is_final = !is_settled(tracked.tx) && is_final_now(lane, memory, tracked);
    if (is_final && !needs_reason(tracked)) return "it is final";
    if (is_decided_externally(lane, tracked)) return "the external transaction is final or removed";
    auto wake_at = decision.wake_at;
    const auto is_due = [&](bool wanted, const Retry& question) {
        if (wanted) wake_at = std::min(wake_at, question.next());
        return wanted && question.is_due(lane.now());
    };
    if (needs_verification(memory, tracked, decision) && lacks_verification(lane, memory, tracked))
        return "it must be verified before an irreversible decision";
    if (is_due(may_replace(memory, tracked), tracked.signing)) return "a replacement must be signed";
    if (is_due(decision.ask_policy, tracked.policy)) return "the policy must be asked";
    if (is_due(needs_lookup(lane, tracked), tracked.look_up)) return "it must be looked up";
    if (is_due(needs_receipts(tracked), tracked.receipts)) return "receipts must be queried";
    if (is_due(needs_reason(tracked), tracked.reason)) return "the failure reason must be queried";
    if (is_due(needs_external_lookup(lane, tracked), tracked.external))
        return "the external transaction must be looked up";
    if (wake_at < tracked.scheduled) return "its next decision is scheduled too late";
    return {};
}

}  // namespace

std::optional<std::string> find_missed(const LaneContext& lane, const LaneMemory& memory) {
    Uint256 reserved;
    for (const auto& [nonce, tracked] : memory.tracked) {
        reserved = reserved + tracked.listed.reserved;
        if (tracked.touched) continue;
        if (const auto missed = missed_work(lane, memory, tracked); !missed.empty())
            return fmt::format("{} at nonce {}, {}: {}", tracked.tx.id, nonce, tracked.tx.position, missed);
    }
    for (const auto& [block, range] : memory.blocks.settled) {
        if (!range.removed && is_orphaned(lane.watch.view(), block))
            return fmt::format("settled nonces from {}: their block was removed", range.first);
        if (range.removed && range.read_back.next() < memory.blocks_due)
            return fmt::format("settled nonces from {}: they must be read back", range.first);
    }
    if (reserved != memory.reserve.total()) return "the total reserve is wrong";
    return std::nullopt;
}

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
    start_send(lane, memory, due.sends);
    start_send(lane, memory, due.repairs, Purpose::repair);
    start_replace(lane, memory, due.replacements);
    start_receipt_query(lane, memory, due.receipts);
}

}  // namespace fencepost::lane
