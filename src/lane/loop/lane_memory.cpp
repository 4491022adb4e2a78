#include "lane/loop/lane_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.hpp"

namespace fencepost::lane {
namespace {

std::vector<Nonce> nonces_in_flight(const LaneState& state) {
    std::vector<Nonce> nonces;
    for (const auto& tx : state.watched) {
        if (is_in_flight(tx)) nonces.push_back(*tx.nonce);
    }
    return nonces;
}

}  // namespace

void Tracked::request_replacement(Replacement replacement) {
    const bool revokes = replacement.kind == AttemptKind::filler && is_settled(tx) && !needs_gap_filler(tx);
    FP_ASSERT(!revokes || !replacement.commands.empty(), "{} at {}: a gap filler that no operator requested", tx.id,
              tx.position);
    if (!wanted) {
        signing.due = {};
        wanted = std::move(replacement);
        return;
    }
    for (const auto command : replacement.commands) {
        if (std::ranges::find(wanted->commands, command) == wanted->commands.end()) wanted->commands.push_back(command);
    }
    wanted->asked = wanted->asked || replacement.asked;
    wanted->min_tip = std::max(wanted->min_tip, replacement.min_tip);
    if (replacement.kind != AttemptKind::filler || wanted->kind == AttemptKind::filler) return;
    wanted->kind = AttemptKind::filler;
    wanted->why = replacement.why;
    wanted->asked_by = std::move(replacement.asked_by);
    signing.due = {};
}

LaneMemory::LaneMemory(const LaneState& state, WindowRules rules, PoolShares& shares)
    : has_cursor(state.next_nonce.has_value()),
      window(state.next_nonce.value_or(Nonce{}), rules.start, nonces_in_flight(state)),
      pools(rules, state.window, shares),
      watch_from(state.watch_from),
      status(state.status) {
    for (const auto& block : state.settled)
        blocks.add_settled({block.number, block.hash}, block.first, block.last);
}

Tracked* LaneMemory::find(Nonce nonce) {
    const auto found = tracked.find(nonce);
    return found == tracked.end() ? nullptr : &found->second;
}

Tracked* LaneMemory::find(TxId id) {
    const auto found = std::ranges::find_if(tracked, [&](const auto& entry) { return entry.second.tx.id == id; });
    return found == tracked.end() ? nullptr : &found->second;
}

QueueItem* LaneMemory::find_queued(AcceptSequence sequence, TxId id) {
    const auto found = queue.find(sequence);
    return found == queue.end() || found->second.queued.id != id ? nullptr : &found->second;
}

QueueItem* LaneMemory::find_queued(TxId id) {
    const auto found = std::ranges::find_if(queue, [&](const auto& entry) { return entry.second.queued.id == id; });
    return found == queue.end() ? nullptr : &found->second;
}

// The id contains the acceptance time by the clock of the accepting node. A transaction that was requeued has none: its
// time starts when it is first seen here, rather late than early.
void LaneMemory::merge_queue(std::vector<QueuedIntent> items, Instant now, UnixTime node_time) {
    for (auto& item : items) {
        const auto sequence = item.sequence;
        if (left_queue.contains(sequence) || queue.contains(sequence)) continue;
        const auto accepted = item.id.value().made_at();
        const auto waited = certain_elapsed(item.waited, accepted ? node_time - *accepted : Duration{});
        queue.try_emplace(queue.end(), sequence, QueueItem{.queued = std::move(item), .accepted_at = now - waited});
    }
}

QueueItem LaneMemory::leave_queue(AcceptSequence sequence) {
    left_queue.insert(sequence);
    auto item = queue.extract(sequence);
    FP_ASSERT(item, "intent {} is not in the queue", sequence);
    return std::move(item.mapped());
}

Tracked& LaneMemory::start_tracking(Transaction tx, Intent intent) {
    FP_ASSERT(tx.nonce, "{} is tracked without a nonce", tx.id);
    const auto nonce = *tx.nonce;
    for (const auto& attempt : tx.attempts)
        by_hash[attempt.hash] = nonce;
    const auto [entry, is_new] =
        tracked.insert_or_assign(nonce, Tracked{.tx = std::move(tx), .intent = std::move(intent)});
    if (is_mined(entry->second.tx)) blocks.add(entry->second.block(), nonce);
    touch(entry->second);
    return entry->second;
}

void LaneMemory::stop_tracking(Nonce nonce) {
    const auto found = tracked.find(nonce);
    auto& gone = found->second;
    for (const auto& attempt : gone.tx.attempts)
        by_hash.erase(attempt.hash);
    if (is_mined(gone.tx)) blocks.remove(gone.block());
    if (gone.listed.gap) close_gap(nonce);
    if (gone.listed.halts) halting.erase(nonce);
    if (gone.listed.external) external.erase(nonce);
    reserve.change(gone.listed.reserved, {});
    waiting_for_gap.erase(nonce);
    verification.waiting.erase(nonce);
    watch_may_move = true;
    tracked.erase(found);
}

void LaneMemory::touch(Tracked& tracked_one, WakeUp why) {
    if (is_disabled(why) || std::exchange(tracked_one.touched, true)) return;
    touched_.push_back(*tracked_one.tx.nonce);
}

Tracked* LaneMemory::touch(Nonce nonce, WakeUp why) {
    auto* found = find(nonce);
    if (found != nullptr) touch(*found, why);
    return found;
}

Tracked* LaneMemory::touch(const TxHash& hash) {
    const auto nonce = by_hash.find(hash);
    return nonce == by_hash.end() ? nullptr : touch(nonce->second);
}

std::vector<Nonce> LaneMemory::touched() const {
    std::vector<Nonce> nonces;
    std::ranges::copy_if(touched_, std::back_inserter(nonces), [this](Nonce nonce) { return tracked.contains(nonce); });
    return nonces;
}

std::vector<Nonce> LaneMemory::take_touched() {
    auto taken = std::exchange(touched_, {});
    std::ranges::sort(taken);
    taken.erase(std::ranges::unique(taken).begin(), taken.end());
    for (const auto nonce : taken) {
        if (auto* found = find(nonce)) found->touched = false;
    }
    return taken;
}

void LaneMemory::schedule(Tracked& tracked_one, Instant at) {
    if (at >= tracked_one.scheduled) return;
    tracked_one.scheduled = at;
    agenda.schedule(at, *tracked_one.tx.nonce);
}

void LaneMemory::touch_due(Instant now) {
    Nonce nonce;
    while (agenda.take_due(now, nonce)) {
        if (auto* found = touch(nonce, WakeUp::own_time)) found->scheduled = Instant::max();
    }
    AcceptSequence sequence;
    while (queue_agenda.take_due(now, sequence)) {
    }
}

void LaneMemory::close_gap(Nonce nonce) {
    gaps.erase(nonce);
    const auto end = gaps.empty() ? waiting_for_gap.end() : waiting_for_gap.upper_bound(*gaps.begin());
    for (auto waiting = waiting_for_gap.begin(); waiting != end; ++waiting)
        touch(*waiting, WakeUp::gap_closed);
    waiting_for_gap.erase(waiting_for_gap.begin(), end);
}

}  // namespace fencepost::lane
