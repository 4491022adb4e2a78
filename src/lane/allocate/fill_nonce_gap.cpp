#include "lane/allocate/fill_nonce_gap.hpp"

#include <fmt/format.h>

#include "base/crypto/keccak.hpp"
#include "base/uuid.hpp"

namespace fencepost::lane {
namespace {

// Only nonces that no pool holds: below the pending count each nonce has a pending transaction.
Task<void> look_for_hole(LaneContext* context, Nonce highest) {
    auto& lane = *context;
    HoleRead read;
    if (const auto counts = co_await lane.chain().counts(lane.submitter)) {
        const auto free = co_await lane.world.shared_keys->nonces.lowest_recyclable(lane.submitter, counts->pending);
        if (free && *free && **free < highest) read.hole = **free;
    }
    lane.inbox.put(read);
}

// One request id per gap, opening and round: a retry after an unknown outcome is idempotent.
NewIntent filling(const LaneContext& lane, Nonce hole, std::uint64_t round) {
    const RequestId request(fmt::format("fill:{}:{}:{}", hole, lane.lease.fence.token, round));
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

Task<void> hand_in(LaneContext* context, NewIntent intent) {
    auto& lane = *context;
    std::vector<NewIntent> batch;
    batch.push_back(std::move(intent));
    // If it fails, the next check finds the gap again.
    if (co_await lane.world.shared_keys->intake.accept(std::move(batch))) lane.inbox.put(WorkHandedIn{});
}

bool nobody_asks(const LaneMemory& memory) {
    return memory.queue.empty() && !memory.signing.running && memory.status.status == SubmitterStatus::active;
}

// The next transaction would wait for room in a window whose transactions wait for the gap.
bool nobody_gets_in(const LaneMemory& memory) {
    if (memory.signing.running || memory.status.status != SubmitterStatus::active) return false;
    return memory.window.room() == 0 ||
           (!memory.queue.empty() && memory.queue.begin()->second.stage == QueueItem::Stage::held_back);
}

}  // namespace

void start_looking_for_hole(LaneContext& lane, LaneMemory& memory) {
    if (!lane.nonces.is_shared() || !memory.hole_look.is_due(lane.now())) return;
    memory.hole_look.due = lane.now() + lane.options.relaxed.hole_patience;
    if (memory.window.in_flight() == 0 || (!nobody_asks(memory) && !nobody_gets_in(memory))) {
        memory.hole.reset();
        return;
    }
    memory.hole_look.start();
    lane.send_out(look_for_hole(&lane, *memory.window.highest_in_flight()));
}

void take_hole(LaneContext& lane, LaneMemory& memory, const HoleRead& read) {
    memory.hole_look.running = false;
    const auto before = std::exchange(memory.hole, read.hole);
    if (read.hole) lane.nonces.doubt();  // the next reservation must see it
    if (!read.hole || before != read.hole || !nobody_asks(memory)) return;
    lane.world.log.write(Severity::info, "Nonce gap detected below transactions in flight; submitting a no-op",
                         {{"submitter", lane.name}, {"nonce", fmt::format("{}", *read.hole)}});
    lane.send_out(hand_in(&lane, filling(lane, *read.hole, memory.holes_filled++)));
    memory.hole.reset();
}

}  // namespace fencepost::lane
