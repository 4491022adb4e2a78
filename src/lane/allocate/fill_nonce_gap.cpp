#include "lane/allocate/fill_nonce_gap.hpp"

#include <fmt/format.h>

#include "base/crypto/keccak.hpp"
#include "base/uuid.hpp"

namespace fencepost::lane {
namespace {

// Only nonces that no pool holds: below the pending count each nonce has a pending transaction.
Task<void> find_gap(LaneContext* context, Nonce highest) {
    auto& lane = *context;
    GapRead read;
    if (const auto counts = co_await lane.chain().counts(lane.submitter)) {
        const auto free = co_await lane.world.shared_keys->nonces.lowest_recyclable(lane.submitter, counts->pending);
        if (free && *free && **free < highest) read.gap_to_fill = **free;
    }
    lane.inbox.put(read);
}

// One request id per gap, opening and round: a retry after an unknown outcome is idempotent.
NewIntent fill_intent(const LaneContext& lane, Nonce gap_to_fill, std::uint64_t round) {
    const RequestId request(fmt::format("fill:{}:{}:{}", gap_to_fill, lane.lease.fence.token, round));
    const auto name = fmt::format("{} {}", lane.name, request.value());
    const auto digest = keccak256(as_bytes(name));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof bits; ++i)
        bits = (bits << 8U) | digest.at(i);
    return {.id = TxId(UuidV7Generator().next(lane.world.clock.unix_now(), bits)),
            .submitter = lane.submitter,
            .request = request,
            .intent = {.to = lane.submitter.evm_address()->to_lower(),
                       .value = {},
                       .data = {},
                       .gas_limit = lane.options.filler_gas,
                       .fee = Speed::fast,
                       .valid_until = {}}};
}

Task<void> submit_intent(LaneContext* context, NewIntent intent) {
    auto& lane = *context;
    std::vector<NewIntent> batch;
    batch.push_back(std::move(intent));
    // If it fails, the next check finds the gap again.
    if (co_await lane.world.shared_keys->intake.accept(std::move(batch))) lane.inbox.put(WorkSubmitted{});
}

bool is_queue_idle(const LaneMemory& memory) {
    return memory.queue.empty() && !memory.signing.running && memory.status.status == SubmitterStatus::active;
}

// The next transaction would wait for room in a window whose transactions wait for the gap.
bool is_window_blocked(const LaneMemory& memory) {
    if (memory.signing.running || memory.status.status != SubmitterStatus::active) return false;
    return memory.window.room() == 0 ||
           (!memory.queue.empty() && memory.queue.begin()->second.stage == QueueItem::Stage::held_back);
}

}  // namespace

void start_gap_check(LaneContext& lane, LaneMemory& memory) {
    if (!lane.nonces.is_shared() || !memory.gap_check.is_due(lane.now())) return;
    memory.gap_check.due = lane.now() + lane.options.relaxed.gap_fill_delay;
    if (memory.window.in_flight() == 0 || (!is_queue_idle(memory) && !is_window_blocked(memory))) {
        memory.gap_to_fill.reset();
        return;
    }
    memory.gap_check.start();
    lane.spawn(find_gap(&lane, *memory.window.highest_in_flight()));
}

void handle_gap(LaneContext& lane, LaneMemory& memory, const GapRead& read) {
    memory.gap_check.running = false;
    const auto before = std::exchange(memory.gap_to_fill, read.gap_to_fill);
    if (read.gap_to_fill) lane.nonces.invalidate();  // the next reservation must see it
    if (!read.gap_to_fill || before != read.gap_to_fill || !is_queue_idle(memory)) return;
    lane.world.log.write(Severity::info, "Nonce gap detected below transactions in flight; submitting a no-op",
                         {{"submitter", lane.name}, {"nonce", fmt::format("{}", *read.gap_to_fill)}});
    lane.spawn(submit_intent(&lane, fill_intent(lane, *read.gap_to_fill, memory.gaps_filled++)));
    memory.gap_to_fill.reset();
}

}  // namespace fencepost::lane
