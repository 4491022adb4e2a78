#include "lane/broadcast/window.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "domain/window/send_reaction.hpp"
#include "lane/broadcast/broadcast.hpp"
#include "lane/broadcast/delegation.hpp"
#include "lane/broadcast/pool_repair.hpp"
#include "lane/broadcast/send_report.hpp"

namespace fencepost::lane {
namespace {

// After this many blocks without inclusion, a larger window would not help.
constexpr int blocks_without_growth = 8;

std::uint32_t to_count(std::size_t size) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(size, PoolShares::unbounded));
}

// Everything below is held by a pool, or mined. Continues from the last position.
Nonce first_unseen(const LaneMemory& memory, Nonce from) {
    for (auto next = memory.tracked.lower_bound(from); next != memory.tracked.end(); ++next) {
        const auto& tracked = next->second;
        if (is_in_flight(tracked.tx) && !tracked.seen) return next->first;
        from = Nonce(next->first.next());
    }
    return from;
}

void note_seen(const LaneContext& lane, LaneMemory& memory) {
    auto& pools = memory.pools;
    const auto lowest = memory.window.lowest_in_flight();
    if (!lowest) {
        pools.lowest.reset();
        pools.seen_below = memory.window.next();
        pools.window.seen(pools.seen_below);
        return pools.window.note_idle(lane.now());
    }
    if (lowest != pools.lowest) {
        pools.lowest = lowest;
        pools.lowest_since = lane.now();
        pools.repairs = 0;
    }
    pools.seen_below = first_unseen(memory, std::max(pools.seen_below, *lowest));
    if (!is_inclusion_overdue(lane, memory)) pools.window.seen(pools.seen_below);
}

void report_share(const LaneContext& lane, LaneMemory& memory) {
    auto& pools = memory.pools;
    const auto in_flight = to_count(memory.window.in_flight());
    const auto backlog = to_count(memory.queue.size());
    const auto wanted = std::min(pools.window.size(), in_flight + backlog);
    const auto held = to_count(memory.window.in_flight_below(pools.send_below.value_or(memory.window.next())));
    pools.share.report(held, wanted, wanted == 0 ? Instant::max() : pools.lowest_since);
    if (const auto& head = lane.watch.view().head()) pools.share.head(head->number);
}

void wake_withheld(LaneMemory& memory) {
    const auto end = memory.pools.send_below ? memory.waiting_for_gap.lower_bound(*memory.pools.send_below)
                                             : memory.waiting_for_gap.end();
    const auto up_to_gap = memory.gaps.empty() ? end : memory.waiting_for_gap.upper_bound(*memory.gaps.begin());
    auto waiting = memory.waiting_for_gap.begin();
    while (waiting != end && waiting != up_to_gap) {
        memory.touch(*waiting, WakeUp::gap_closed);
        waiting = memory.waiting_for_gap.erase(waiting);
    }
}

// None means no bound.
std::optional<Nonce> lower_of(std::optional<Nonce> a, std::optional<Nonce> b) {
    return a && b ? std::min(*a, *b) : a ? a : b;
}

// Meanwhile it may have been mined, or be withheld itself.
std::optional<Nonce> suspected_now(LaneMemory& memory) {
    auto& suspected = memory.pools.suspected;
    const auto* tracked = suspected ? memory.find(*suspected) : nullptr;
    if (tracked == nullptr || !is_in_flight(tracked->tx) || tracked->withheld) suspected.reset();
    return suspected;
}

// Every endpoint that answered requires a higher tip: uses the lowest requirement. No bump interval applies, because no
// pool holds it.
void raise_to_price_floor(LaneContext& lane, Tracked& tracked, const SendReport& report) {
    const auto floor = min_tip_of(report);
    if (!floor || *floor <= max_priority_fee(attempt_to_send(tracked.tx).fees)) return;
    lane.world.log.write(Severity::info, "Tip raised to the minimum of the endpoints",
                         {{"submitter", lane.name},
                          {"nonce", fmt::format("{}", *tracked.tx.nonce)},
                          {"tip_wei", fmt::format("{}", *floor)}});
    tracked.request_replacement({.kind = AttemptKind::bump, .asked = true, .min_tip = floor});
}

// When a pool is full of other accounts' transactions, a smaller window does not help: at a window of 1 the price is
// raised, once per nonce.
void outbid_full_pool(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const SendReport& report) {
    const bool is_alone = window_now(memory).size == 1 && tracked.tx.nonce == memory.window.lowest_in_flight();
    if (!is_alone || !is_refused_by_full_pool(report)) return;
    const bool was_raised = std::ranges::any_of(
        tracked.tx.attempts, [](const Attempt& attempt) { return attempt.kind == AttemptKind::bump; });
    if (was_raised || tracked.wanted || !memory.pools.share.may_outbid()) return;
    lane.world.log.write(Severity::info, "Pool full at window 1; fee raised once",
                         {{"submitter", lane.name}, {"nonce", fmt::format("{}", *tracked.tx.nonce)}});
    tracked.request_replacement({.kind = AttemptKind::bump, .asked = true});
}

}  // namespace

bool is_inclusion_overdue(const LaneContext& lane, const LaneMemory& memory) {
    const auto interval = lane.watch.block_interval();
    return interval && memory.window.in_flight() > 0 &&
           lane.now() - memory.pools.lowest_since > *interval * blocks_without_growth;
}

WindowState window_now(const LaneMemory& memory) {
    const auto& pools = memory.pools;
    if (pools.share.share() >= pools.window.size()) return pools.window.state();
    return {pools.share.share(), WindowLimit::pool_full};
}

void resize_window(LaneMemory& memory) { memory.window.resize(window_now(memory).size); }

void update_window(LaneContext& lane, LaneMemory& memory) {
    note_seen(lane, memory);
    continue_repair(memory);
    report_share(lane, memory);
    auto& pools = memory.pools;
    const auto before = pools.send_below;
    pools.room_below = memory.window.nth_in_flight(window_now(memory).size);
    pools.send_below = lower_of(pools.room_below, pools.repair_below);
    if (const auto suspected = suspected_now(memory))
        pools.send_below = lower_of(pools.send_below, Nonce(suspected->next()));
    const bool has_risen = before && (!memory.pools.send_below || *memory.pools.send_below > *before);
    if (has_risen) wake_withheld(memory);
}

void note_sending(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    if (nonces.empty()) return;
    auto& pools = memory.pools;
    for (const auto nonce : nonces) {
        memory.tracked.at(nonce).sent_at = lane.now();
        pools.sent_below = std::max(pools.sent_below, Nonce(nonce.next()));
    }
    // A lane that is limited by its pool share does not fill its own window.
    pools.window.sent(pools.sent_below, memory.window.in_flight() >= pools.window.size(), lane.now());
    pools.quiet_queries = 0;
}

void react_to_refusal(LaneContext& lane, LaneMemory& memory, Tracked& tracked, const SendReport& report) {
    for (const auto& answer : report.answers) {
        switch (reaction_to(answer.outcome)) {
            case SendReaction::reduce_account:
                reduce_window(lane, memory, WindowLimit::account_limit, tracked.sent_at);
                check_delegation(lane, memory);
                break;
            case SendReaction::reduce_pool:
                if (memory.pools.share.full(tracked.sent_at, lane.now())) {
                    lane.world.log.write(Severity::info, "Pool full; pool share reduced",
                                         {{"submitter", lane.name}, {"endpoint", answer.endpoint}});
                }
                break;
            case SendReaction::nothing:
            case SendReaction::reprice:         // below: needs all endpoints
            case SendReaction::wait_for_funds:  // UNDERFUNDED stops allocation
            case SendReaction::back_off:        // the intervals between sends grow
                break;
        }
    }
    // The fees of a connector are its own responsibility.
    if (lane.connector() != nullptr || !is_pending(tracked.tx) || tracked.wanted) return;
    raise_to_price_floor(lane, tracked, report);
    outbid_full_pool(lane, memory, tracked, report);
}

void reduce_window(LaneContext& lane, LaneMemory& memory, WindowLimit cause, Instant sent_at) {
    if (!memory.pools.window.reduce(cause, sent_at, lane.now())) return;
    lane.world.telemetry.count(Counter::window_reduction, name_of(cause));
    lane.world.log.write(Severity::info, "Window reduced",
                         {{"submitter", lane.name},
                          {"window", fmt::format("{}", memory.pools.window.size())},
                          {"limit", std::string(name_of(cause))}});
}

void store_window(const LaneMemory& memory, Turn& turn) {
    const auto now = window_now(memory);
    if (turn.empty() || !memory.has_cursor || !memory.pools.window.needs_store(now)) return;
    turn.store_window(now);
}

}  // namespace fencepost::lane
