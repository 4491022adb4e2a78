#include "lane/broadcast/pool_query.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/delegation.hpp"
#include "lane/broadcast/pool_repair.hpp"
#include "lane/broadcast/window.hpp"

namespace fencepost::lane {
namespace {

constexpr Duration max_query_delay = std::chrono::milliseconds(500);
constexpr std::uint32_t queries_to_prove = 2;
constexpr std::uint32_t max_query_pause = 5;   // as a power of two of the delay
constexpr std::uint32_t max_refills = 5;       // for an endpoint that keeps losing its pool
constexpr std::uint32_t max_refill_pause = 4;  // as a power of two, in blocks

Duration query_delay(const LaneContext& lane) {
    const auto interval = lane.watch.block_interval();
    return interval ? std::min(max_query_delay, *interval / 3) : max_query_delay;
}

std::vector<PoolQuery> pool_queries(const LaneMemory& memory) {
    std::vector<PoolQuery> questions;
    for (const auto& [nonce, tracked] : memory.tracked) {
        if (memory.pools.room_below && nonce >= *memory.pools.room_below) break;
        if (!should_be_in_pools(tracked)) continue;
        auto& question = questions.emplace_back(PoolQuery{.nonce = nonce, .hashes = {}});
        for (const auto& attempt : tracked.tx.attempts)
            question.hashes.push_back(attempt.hash);
    }
    return questions;
}

Task<void> read_pools(LaneContext* context, std::vector<PoolQuery> questions) {
    auto& lane = *context;
    PoolsRead read{.asked_at = lane.now(), .nonces = {}, .views = {}};
    std::ranges::transform(questions, std::back_inserter(read.nonces), &PoolQuery::nonce);
    auto views = co_await lane.chain().query_pools(lane.submitter, std::move(questions));
    if (views) read.views = std::move(*views);
    lane.inbox.put(std::move(read));
}

bool holds_ours(const PoolView& view) {
    return view.pending > view.mined ||
           std::ranges::any_of(view.presence, [](Presence presence) { return presence == Presence::held; });
}

// Unknown presence of this many means that they are queued out of order: then the pool was not emptied. (An endpoint is
// asked for at most this many individually.)
bool is_empty(const PoolView& view) {
    constexpr std::size_t most_asked = 64;
    const auto end = view.presence.begin() + static_cast<std::ptrdiff_t>(std::min(most_asked, view.presence.size()));
    return !holds_ours(view) &&
           std::all_of(view.presence.begin(), end, [](Presence presence) { return presence == Presence::absent; });
}

bool can_tell(const PoolView& view) {
    return std::ranges::any_of(view.presence, [](Presence presence) { return presence != Presence::unknown; });
}

/// The combined answer for one transaction. An endpoint that showed ours before and cannot tell now may hold it; one
/// that never showed any is ignored.
Presence presence_of(const PoolWatch& pools, const PoolsRead& read, std::size_t index) {
    bool is_absent = false;
    bool is_open = false;
    for (const auto& view : read.views) {
        if (view.presence[index] == Presence::held) return Presence::held;
        if (view.presence[index] == Presence::absent) is_absent = true;
        if (view.presence[index] == Presence::unknown && pools.endpoints.contains(view.endpoint)) is_open = true;
    }
    return is_absent && !is_open ? Presence::absent : Presence::unknown;
}

/// Endpoints that held some of our transactions and hold none now: they must be refilled.
struct EmptyPools {
    std::vector<const PoolView*> views;
    /// Whether all of them held some until this query.
    bool just_now = false;
};

EmptyPools find_empty_pools(const LaneContext& lane, PoolWatch& pools, const PoolsRead& read) {
    EmptyPools empty;
    const auto& head = lane.watch.view().head();
    for (const auto& view : read.views) {
        if (!can_tell(view) || !head) continue;
        if (holds_ours(view)) {
            pools.endpoints[view.endpoint] = {.holds = true};
            continue;
        }
        const auto known = pools.endpoints.find(view.endpoint);
        if (known == pools.endpoints.end() || !is_empty(view)) continue;
        auto& pool = known->second;
        const bool is_news = std::exchange(pool.holds, false);
        const bool is_tried_again = pool.refills > 0 && pool.refills < max_refills && head->number >= pool.refill_from;
        if (!is_news && !is_tried_again) continue;
        pool.refill_from = head->number.plus(std::uint64_t{1} << std::min(pool.refills++, max_refill_pause));
        empty.just_now = empty.just_now || is_news;
        empty.views.push_back(&view);
    }
    return empty;
}

/// The result of a query for the queried transactions.
struct Findings {
    std::vector<Nonce> waiting;
    std::vector<Nonce> absent;  // proven
    bool none_held = true;
    bool may_be_absent = false;  // one more query will prove it
    bool news = false;
};

void note_held(LaneMemory& memory, Tracked& tracked, Findings& findings) {
    tracked.absent_queries = 0;
    if (!std::exchange(tracked.seen, true)) findings.news = true;
    if (std::exchange(tracked.absent, false)) memory.touch(tracked);
}

void note_absent(LaneMemory& memory, Tracked& tracked, Findings& findings) {
    const auto nonce = *tracked.tx.nonce;
    if (++tracked.absent_queries < queries_to_prove) {
        findings.may_be_absent = true;
        if (!memory.pools.suspected) memory.pools.suspected = nonce;
        return;
    }
    tracked.seen = false;
    memory.pools.seen_below = std::min(memory.pools.seen_below, nonce);
    if (!std::exchange(tracked.absent, true)) memory.touch(tracked);
    findings.absent.push_back(nonce);
}

Findings judge(LaneMemory& memory, const PoolsRead& read) {
    Findings findings;
    for (std::size_t i = 0; i < read.nonces.size(); ++i) {
        auto* tracked = memory.find(read.nonces[i]);
        // Mined meanwhile, or replaced, or sent after the query.
        if (tracked == nullptr || !should_be_in_pools(*tracked) || tracked->sent_at > read.asked_at) continue;
        findings.waiting.push_back(read.nonces[i]);
        const auto presence = presence_of(memory.pools, read, i);
        findings.none_held = findings.none_held && presence != Presence::held;
        if (presence == Presence::held) note_held(memory, *tracked, findings);
        // A transaction that no endpoint accepted is resent on its normal schedule.
        if (presence == Presence::absent && !tracked->facts.missing) note_absent(memory, *tracked, findings);
    }
    return findings;
}

bool covers_base_fee(const LaneContext& lane, const Tracked& tracked) {
    const auto base_fee = lane.watch.head_base_fee();
    return !base_fee || max_fee(attempt_to_send(tracked.tx).fees) > *base_fee;
}

// A nonce that is mined counts as held, too: an external transaction may have used it.
bool is_in_all_pools(const PoolsRead& read, std::size_t index) {
    return std::ranges::all_of(read.views, [&](const auto& view) {
        return view.presence[index] == Presence::held && view.mined <= read.nonces[index];
    });
}

// No action of the lane helps: no block producer includes it.
void alert_not_mined(LaneContext& lane, LaneMemory& memory, const PoolsRead& read) {
    auto& pools = memory.pools;
    const auto nonce = read.nonces.front();
    const auto* tracked = memory.find(nonce);
    if (tracked == nullptr || nonce != memory.window.lowest_in_flight() || pools.not_mined_alerted == nonce) return;
    if (!should_be_in_pools(*tracked) || !is_in_all_pools(read, 0) || !covers_base_fee(lane, *tracked)) return;
    pools.not_mined_alerted = nonce;
    lane.world.alerts.raise(alert_of(AlertKind::not_mined, lane.submitter,
                                     fmt::format("Transaction {} at nonce {} is held by every endpoint and its fee "
                                                 "covers the base fee, but no block includes it",
                                                 tracked->tx.id, nonce)));
}

// One endpoint holds it and does not reach the block producers; another lacks it.
void refill_lacking_endpoints(LaneContext& lane, LaneMemory& memory, const PoolsRead& read) {
    const auto& head = lane.watch.view().head();
    auto& pools = memory.pools;
    for (const auto& view : read.views) {
        if (std::ranges::find(view.presence, Presence::absent) == view.presence.end()) continue;
        auto& pool = pools.endpoints[view.endpoint];
        if (!head || head->number < pool.refill_from) continue;
        pool.refill_from = head->number.plus(std::uint64_t{1} << max_refill_pause);
        refill_endpoint(lane, memory, read, view);
    }
}

void schedule_next_query(LaneContext& lane, LaneMemory& memory) {
    auto& pools = memory.pools;
    pools.look.due = Instant::max();
    if (memory.window.in_flight() == 0) return;
    const auto& head = lane.watch.view().head();
    const bool is_new_head = head && head->number > pools.queried_at;
    if (is_new_head) pools.is_blind = pools.is_idle = false;
    if (pools.is_idle) return;
    // The window grows only with what is seen; if no endpoint can tell, or nothing new is seen, query at the next
    // block.
    const bool is_full = memory.window.in_flight() >= window_now(memory).size && pools.seen_below < pools.sent_below;
    if ((is_full && !pools.is_blind) || pools.quiet_queries > 0) {
        const auto pause = std::min(std::max(pools.quiet_queries, 1U) - 1, max_query_pause);
        pools.look.due = pools.answered_at + query_delay(lane) * (1U << pause);
    }
    // A transaction that is pending for longer than a block may be lost.
    const auto interval = lane.watch.block_interval().value_or(max_query_delay);
    if (is_new_head && lane.now() - pools.lowest_since > interval) pools.look.due = lane.now();
}

}  // namespace

void start_pool_query(LaneContext& lane, LaneMemory& memory) {
    poll_delegation(lane, memory);
    auto& pools = memory.pools;
    if (pools.look.running) return;
    schedule_next_query(lane, memory);
    if (!pools.look.is_due(lane.now())) return;
    if (const auto& head = lane.watch.view().head()) pools.queried_at = head->number;
    auto questions = pool_queries(memory);
    if (questions.empty()) {
        pools.suspected.reset();
        pools.quiet_queries = 0;
        pools.is_idle = true;
        pools.look.due = Instant::max();
        return;
    }
    pools.look.start();
    lane.spawn(read_pools(&lane, std::move(questions)));
}

void handle_pool_views(LaneContext& lane, LaneMemory& memory, const PoolsRead& read, Turn& turn) {
    auto& pools = memory.pools;
    pools.look.running = false;
    pools.answered_at = lane.now();
    pools.suspected.reset();
    if (read.views.empty()) {
        ++pools.quiet_queries;  // no endpoint answered: retry at growing intervals
        return;
    }
    pools.is_blind = std::ranges::none_of(read.views, can_tell);
    if (pools.is_blind) {
        pools.quiet_queries = 0;
        return;
    }
    const auto empty = find_empty_pools(lane, pools, read);
    auto findings = judge(memory, read);
    // A second query proves it; after that, query once per block.
    const bool is_quiet = !findings.news && findings.absent.empty() && pools.seen_below < pools.sent_below;
    pools.quiet_queries = findings.may_be_absent ? 1 : is_quiet ? pools.quiet_queries + 1 : 0;
    if (is_inclusion_overdue(lane, memory)) {
        alert_not_mined(lane, memory, read);
        refill_lacking_endpoints(lane, memory, read);
    }
    if (!empty.views.empty()) {
        pools.quiet_queries = 1;
        if (empty.just_now && findings.none_held) return plan_refill(lane, memory, std::move(findings.waiting), turn);
        for (const auto* view : empty.views)
            refill_endpoint(lane, memory, read, *view);
    }
    if (findings.absent.empty()) return;
    reduce_window(lane, memory, WindowLimit::absent, memory.tracked.at(findings.absent.front()).sent_at);
    check_delegation(lane, memory);
    plan_repair(lane, memory, std::move(findings.absent), turn);
}

}  // namespace fencepost::lane
