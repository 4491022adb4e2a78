#include "lane/lane_memory.hpp"

#include <algorithm>

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

void Tracked::want(Replacement replacement) {
    if (!wanted) {
        replace_at = {};
        wanted = std::move(replacement);
        return;
    }
    for (const auto command : replacement.commands) {
        if (std::ranges::find(wanted->commands, command) == wanted->commands.end()) wanted->commands.push_back(command);
    }
    wanted->asked = wanted->asked || replacement.asked;
    if (replacement.kind != AttemptKind::filler || wanted->kind == AttemptKind::filler) return;
    wanted->kind = AttemptKind::filler;
    wanted->why = replacement.why;
    replace_at = {};
}

LaneMemory::LaneMemory(const LaneState& state, std::uint32_t window_size)
    : has_cursor(state.next_nonce.has_value()),
      window(state.next_nonce.value_or(Nonce{}), window_size, nonces_in_flight(state)),
      watch_from(state.watch_from),
      status(state.status) {
    for (const auto& tx : state.watched) {
        const auto intent = state.intents.find(tx.id);
        start_tracking(tx, intent == state.intents.end() ? Intent{} : intent->second);
    }
}

Tracked* LaneMemory::find(const TxHash& hash) {
    const auto nonce = by_hash.find(hash);
    if (nonce == by_hash.end()) return nullptr;
    return &tracked.at(nonce->second);
}

Tracked* LaneMemory::find_tracked(TxId id) {
    const auto found = std::ranges::find_if(tracked, [&](const auto& entry) { return entry.second.tx.id == id; });
    return found == tracked.end() ? nullptr : &found->second;
}

QueueItem* LaneMemory::find_queued(TxId id) {
    const auto found = std::ranges::find_if(queue, [&](const auto& entry) { return entry.second.queued.id == id; });
    return found == queue.end() ? nullptr : &found->second;
}

void LaneMemory::merge_queue(const std::vector<QueuedIntent>& items, Instant now) {
    for (const auto& item : items) {
        if (left_queue.contains(item.sequence)) continue;
        queue.try_emplace(item.sequence, QueueItem{.queued = item, .accepted_at = now - item.waited});
    }
}

QueueItem LaneMemory::leave_queue(AcceptSequence sequence) {
    left_queue.insert(sequence);
    auto item = queue.extract(sequence);
    FP_ASSERT(item, "intent {} is not in the queue", sequence);
    return std::move(item.mapped());
}

void LaneMemory::start_tracking(Transaction tx, Intent intent) {
    FP_ASSERT(tx.nonce, "{} is tracked without a nonce", tx.id);
    const auto nonce = *tx.nonce;
    for (const auto& attempt : tx.attempts)
        by_hash[attempt.hash] = nonce;
    tracked.insert_or_assign(nonce, Tracked{.tx = std::move(tx), .intent = std::move(intent)});
}

void LaneMemory::stop_tracking(Nonce nonce) {
    const auto found = tracked.find(nonce);
    for (const auto& attempt : found->second.tx.attempts)
        by_hash.erase(attempt.hash);
    tracked.erase(found);
}

}  // namespace fencepost::lane
