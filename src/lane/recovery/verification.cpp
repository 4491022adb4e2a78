#include "lane/recovery/verification.hpp"

#include "lane/loop/lane_context.hpp"
#include "lane/loop/lane_memory.hpp"

namespace fencepost::lane {
namespace {

constexpr Duration soon = std::chrono::seconds(2);

// A query that fails, or whose answer is uncertain, is repeated on its own schedule.
bool is_to_be_asked_earlier(const Retry& question, Instant now) {
    return !question.running && question.failures == 0 && question.due > now + soon;
}

bool lacks_receipts(const Tracked& tracked, Instant now) {
    return !tracked.receipts_read && is_to_be_asked_earlier(tracked.receipts, now);
}

bool lacks_count(const LaneMemory& memory, Instant now) {
    return !memory.verification.count_read && is_to_be_asked_earlier(memory.reconcile, now);
}

}  // namespace

bool is_verified(const LaneMemory& memory, const Tracked& tracked) {
    return tracked.is_new || (tracked.receipts_read && memory.verification.count_read);
}

Instant start_verifying(LaneContext& lane, LaneMemory& memory, Tracked& tracked) {
    auto& verification = memory.verification;
    const auto now = lane.now();
    if (!verification.count_read) verification.waiting.insert(*tracked.tx.nonce);
    if (!verification.knows_head(now)) return verification.head_known_at;
    if (lacks_count(memory, now)) memory.reconcile.due = now;
    if (lacks_receipts(tracked, now)) tracked.receipts.due = now;
    return Instant::max();
}

bool lacks_verification(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    const auto& verification = memory.verification;
    const auto now = lane.now();
    if (!verification.count_read && !verification.waiting.contains(*tracked.tx.nonce)) return true;
    if (!verification.knows_head(now)) return tracked.scheduled > verification.head_known_at;
    return lacks_count(memory, now) || lacks_receipts(tracked, now);
}

void touch_unverified(LaneMemory& memory) {
    auto& waiting = memory.verification.waiting;
    for (const auto nonce : waiting)
        memory.touch(nonce, WakeUp::verification);
    if (memory.verification.count_read) waiting.clear();
}

void note_block(LaneMemory& memory) {
    if (!std::exchange(memory.verification.seen_block, true)) touch_unverified(memory);
}

}  // namespace fencepost::lane
