#include "lane/loop/lane_metrics.hpp"

#include <utility>

namespace fencepost::lane {
namespace {

bool is_verdict(const Edit& edit) { return is_final(edit.update.to.state) && !is_final(edit.update.expected.state); }

std::optional<Instant> accepted_at(LaneMemory& memory, const Edit& edit) {
    if (const auto item = memory.queue.find(edit.next.sequence); item != memory.queue.end())
        return item->second.accepted_at;
    const auto tracked = edit.next.nonce ? memory.tracked.find(*edit.next.nonce) : memory.tracked.end();
    return tracked == memory.tracked.end() ? std::nullopt : tracked->second.accepted_at;
}

void observe_since_accepted(const LaneContext& lane, LaneMemory& memory, const Edit& edit, Latency latency) {
    if (const auto accepted = accepted_at(memory, edit)) lane.world.telemetry.observe(latency, lane.now() - *accepted);
}

// A second receipt after a reorg does not count as time to inclusion.
void observe_mined(const LaneContext& lane, LaneMemory& memory, const Edit& edit) {
    if (!std::holds_alternative<Receipt>(edit.update.receipt)) return;
    const auto tracked = memory.tracked.find(*edit.next.nonce);
    if (tracked == memory.tracked.end() || std::exchange(tracked->second.was_ever_mined, true)) return;
    if (edit.update.expected.sub == SubState::forked) return;
    observe_since_accepted(lane, memory, edit, Latency::accept_to_mined);
}

}  // namespace

void count_committed(const LaneContext& lane, LaneMemory& memory, const std::map<TxId, Edit>& edits) {
    for (const auto& [id, edit] : edits) {
        observe_mined(lane, memory, edit);
        if (!is_verdict(edit)) continue;
        lane.world.telemetry.count(Counter::finality, name_of(edit.update.to.state));
        lane.world.telemetry.count(Counter::tx_settled, lane.name);
        observe_since_accepted(lane, memory, edit, Latency::accept_to_final);
    }
}

// For shared keys the marks show what happens to each nonce, including unused ones.
void count_nonces(const LaneContext& lane, const std::map<TxId, Edit>& edits, const std::map<Nonce, NonceMark>& marks) {
    std::uint64_t allocated = 0;
    std::uint64_t used = 0;
    std::uint64_t recycled = 0;
    for (const auto& [id, edit] : edits) {
        if (edit.update.nonce) ++allocated;
        if (!lane.nonces.is_shared() && edit.next.nonce && is_verdict(edit)) ++used;
    }
    for (const auto& [nonce, mark] : marks) {
        if (mark.status == AllocationStatus::used) ++used;
        if (mark.status == AllocationStatus::recyclable) ++recycled;
    }
    const auto submitter = lane.name;
    if (allocated > 0) lane.world.telemetry.count(Counter::nonce_allocated, submitter, allocated);
    if (used > 0) lane.world.telemetry.count(Counter::nonce_used, submitter, used);
    if (recycled > 0) lane.world.telemetry.count(Counter::nonce_recycled, submitter, recycled);
}

}  // namespace fencepost::lane
