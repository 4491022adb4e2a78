#include "lane/broadcast/pool_repair.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/send_report.hpp"
#include "lane/broadcast/window.hpp"

namespace fencepost::lane {
namespace {

constexpr std::size_t max_repairs = 64;
constexpr std::uint32_t max_repair_pause = 4;  // as a power of two, in blocks

// False: a recent repair has not helped yet.
bool may_repair_now(const LaneContext& lane, PoolWatch& pools) {
    const auto& head = lane.watch.view().head();
    if (!head || head->number < pools.repair_from) return false;
    pools.repair_from = head->number.plus(std::uint64_t{1} << std::min(pools.repairs++, max_repair_pause));
    return true;
}

void note_repair(LaneMemory& memory, const std::vector<Nonce>& nonces, std::size_t total, Turn& turn) {
    turn.edit(memory.tracked.at(nonces.front()).tx)
        .note(HistoryKind::diagnosed,
              fmt::format("missing from pools that had accepted it; resent with {} more", total - 1));
}

// Lower nonces are lost, too: it follows when those are seen again.
void repair_later(LaneMemory& memory, Nonce nonce) {
    auto& tracked = memory.tracked.at(nonce);
    tracked.absent = false;
    tracked.absent_queries = 0;
    tracked.withheld = tracked.lost_by_pools = true;
    memory.touch(tracked);
}

// The answer is ignored: the next query shows the result.
Task<void> send_to_one(LaneContext* context, SendBatch batch) {
    if (context->may_act()) co_await context->chain().send(std::move(batch));
}

// A nonce that is consumed, or held by another attempt of ours, does not block a pool.
bool is_still_lost(const SendReport& report) {
    return is_answered(report) && !is_held(report) && !has_outcome(report, SendOutcome::nonce_too_low) &&
           !has_outcome(report, SendOutcome::replacement_underpriced);
}

void handle_one_repaired(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const SendReport& report,
                         Turn& turn) {
    tracked.activity = Activity::idle;
    tracked.absent_queries = 0;
    if (is_not_sent(report)) {
        tracked.withheld = tracked.lost_by_pools = !tracked.absent;
        return;
    }
    tracked.absent = is_still_lost(report);
    if (tracked.absent) react_to_refusal(lane, memory, tracked, report);
    // Refusals for other reasons are repeated at the next recorded send, and handled there.
    if (tracked.absent && !is_refused_for_room(report) && !tracked.wanted && is_pending(tracked.tx))
        claim_resend(lane, tracked, {}, turn);
    if (has_outcome(report, SendOutcome::nonce_too_low)) {
        tracked.receipts.due = lane.now();
        tracked.nonce_maybe_consumed = true;
    }
}

}  // namespace

bool should_be_in_pools(const Tracked& tracked) {
    return is_in_flight(tracked.tx) && tracked.tx.claims.empty() && !tracked.tx.attempts.empty() &&
           tracked.sent_at != Instant{} && tracked.activity != Activity::sending && !tracked.withheld;
}

void plan_repair(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> absent, Turn& turn) {
    auto& pools = memory.pools;
    if (absent.empty() || !may_repair_now(lane, pools)) return;
    const auto total = absent.size();
    const auto piece = std::min<std::size_t>(max_repairs, std::max(1U, window_now(memory).size));
    pools.repair_piece = piece;
    pools.repair_below = total > piece ? std::optional(absent[piece]) : std::nullopt;
    for (; absent.size() > piece; absent.pop_back())
        repair_later(memory, absent.back());
    note_repair(memory, absent, total, turn);
    pools.to_repair = std::move(absent);
}

void plan_refill(const LaneContext& lane, LaneMemory& memory, std::vector<Nonce> waiting, Turn& turn) {
    auto& pools = memory.pools;
    if (waiting.empty() || !may_repair_now(lane, pools)) return;
    pools.suspected.reset();
    pools.repair_below.reset();
    for (const auto nonce : waiting)
        memory.tracked.at(nonce).absent_queries = 0;
    note_repair(memory, waiting, waiting.size(), turn);
    pools.to_repair = std::move(waiting);
}

void refill_endpoint(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, const PoolView& view) {
    SendBatch batch{
        .from = lane.submitter, .items = {}, .only = view.endpoint, .may_still_send = send_permission(lane, memory)};
    for (std::size_t i = 0; i < read.nonces.size(); ++i) {
        auto* tracked = memory.find(read.nonces[i]);
        if (view.presence[i] == Presence::held || tracked == nullptr) continue;
        if (!should_be_in_pools(*tracked) || tracked->wanted) continue;
        tracked->sent_at = lane.now();
        tracked->absent_queries = 0;
        batch.items.push_back({read.nonces[i], attempt_to_send(tracked->tx).raw});
    }
    if (!batch.items.empty()) lane.spawn(send_to_one(&lane, std::move(batch)));
}

void start_repair(LaneContext& lane, LaneMemory& memory) {
    const auto nonces = std::exchange(memory.pools.to_repair, {});
    if (!nonces.empty()) start_send(lane, memory, nonces, Purpose::repair);
}

void handle_repaired(LaneContext& lane, LaneMemory& memory, const Sent& sent, Turn& turn) {
    for (const auto& item : sent.items) {
        if (auto* tracked = memory.touch(item.nonce)) handle_one_repaired(lane, memory, *tracked, item.report, turn);
    }
    // The next query shows whether it helped.
    memory.pools.quiet_queries = std::max(memory.pools.quiet_queries, 1U);
}

void continue_repair(LaneMemory& memory) {
    auto& pools = memory.pools;
    while (pools.repair_below && pools.seen_below >= *pools.repair_below) {
        pools.repair_piece *= 2;
        auto next = memory.tracked.lower_bound(*pools.repair_below);
        for (std::size_t n = 0; n < pools.repair_piece && next != memory.tracked.end(); ++n)
            ++next;
        pools.repair_below = next == memory.tracked.end() ? std::nullopt : std::optional(next->first);
    }
}

}  // namespace fencepost::lane
