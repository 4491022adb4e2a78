#include "lane/track/diagnose.hpp"

#include <utility>

#include <fmt/format.h>

#include "lane/broadcast/window.hpp"

namespace fencepost::lane {
namespace {

// The lowest nonces cause the delay; limits the number of calls.
constexpr std::size_t max_slots = 16;

SlotFacts facts_of(const Tracked& tracked) {
    SlotFacts slot{.nonce = *tracked.tx.nonce, .ours = {}, .offered = max_fee(fees_offered(tracked.tx).back())};
    for (const auto& attempt : tracked.tx.attempts)
        slot.ours.push_back(attempt.hash);
    return slot;
}

// False when no endpoint answered: unknown.
Task<bool> find_slot(LaneContext* context, SlotFacts* slot) {
    auto& lane = *context;
    bool answered = false;
    for (const auto& hash : slot->ours) {
        const auto found = co_await lane.chain().find(hash);
        answered = answered || found.has_value();
        if (!found || !*found) continue;
        slot->is_known = true;
        if ((*found)->block_number) slot->in_block = (*found)->block_number;
    }
    // Not every endpoint exposes its pool.
    const auto waiting = co_await lane.chain().pending_at(lane.submitter, slot->nonce);
    if (waiting) slot->in_pool = *waiting;
    co_return answered;
}

Task<void> read_slots(LaneContext* context, std::vector<SlotFacts> slots) {
    auto& lane = *context;
    SlotsRead read;
    const auto count = co_await lane.chain().transaction_count(lane.submitter, At::latest);
    if (count) read.count = *count;
    for (auto& slot : slots) {
        // Without this one nothing is known about higher ones.
        if (!count || !co_await find_slot(&lane, &slot)) break;
        read.slots.push_back(std::move(slot));
    }
    lane.inbox.put(std::move(read));
}

// Overdue means in flight at the last round, too; lower ones are included for context.
std::vector<SlotFacts> choose_slots(LaneMemory& memory) {
    std::vector<SlotFacts> slots;
    bool some_are_overdue = false;
    for (auto& [nonce, tracked] : memory.tracked) {
        const bool was_in_flight = std::exchange(tracked.was_in_flight, is_in_flight(tracked.tx));
        if (!is_in_flight(tracked.tx) || slots.size() == max_slots) continue;
        some_are_overdue = some_are_overdue || was_in_flight;
        slots.push_back(facts_of(tracked));
        if (tracked.withheld && !memory.may_send_by_window(nonce))
            slots.back().withheld = QueuedBehind{memory.window.in_flight_below(nonce), {window_now(memory)}};
    }
    return some_are_overdue ? slots : std::vector<SlotFacts>{};
}

}  // namespace

void start_diagnosis(LaneContext& lane, LaneMemory& memory) {
    if (!lane.options.diagnose || !memory.diagnosis.is_due(lane.now())) return;
    memory.diagnosis.due = lane.now() + lane.options.resubmit_interval;
    auto slots = choose_slots(memory);
    if (slots.empty()) return;
    memory.diagnosis.start();
    lane.spawn(read_slots(&lane, std::move(slots)));
}

void handle_slots(LaneContext& lane, LaneMemory& memory, const SlotsRead& read, Turn& turn) {
    memory.diagnosis.running = false;
    for (const auto& diagnosis : diagnose(read.slots, read.count, lane.watch.head_base_fee())) {
        auto* found = memory.find(diagnosis.nonce);
        if (found == nullptr || !is_in_flight(found->tx)) continue;
        auto& tracked = *found;
        auto words = fmt::format("{}: {}", name_of(diagnosis.likely), diagnosis.sentence);
        // Recorded once, to keep the history short.
        if (tracked.diagnosis == words) continue;
        turn.edit(tracked.tx).note(HistoryKind::diagnosed, words);
        tracked.diagnosis = std::move(words);
    }
}

}  // namespace fencepost::lane
