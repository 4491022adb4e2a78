#include "lane/funds.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fencepost::lane {
namespace {

// A mined transaction costs nothing more only once the balance we know was read after its block.
bool is_in_balance(const LaneMemory& memory, const Tracked& tracked) {
    if (tracked.is_settled() || !tracked.is_mined()) return true;
    return memory.balance_as_of && tracked.tx.receipt->block_number <= *memory.balance_as_of;
}

Task<void> read_balance(LaneContext* context) {
    auto& lane = *context;
    auto balance = co_await lane.chain().balance(lane.submitter, At::latest);
    lane.inbox.put(BalanceRead{std::move(balance)});
}

// Told once, and again only after it was above. What was mined just now is in the balance already, and in flight until
// its receipt is here: so it must be low twice in a row.
void watch_low_balance(const LaneContext& lane, LaneMemory& memory) {
    if (!lane.options.low_balance) return;
    const auto taken = in_flight_cost(lane.options, memory).value();
    const auto& balance = memory.balance->value();
    const Wei left(balance > taken ? balance - taken : Uint256{});
    const bool is_low = left < *lane.options.low_balance;
    const bool was_low = std::exchange(memory.balance_was_low, is_low);
    if (!is_low) memory.low_balance_told = false;
    if (!is_low || !was_low || std::exchange(memory.low_balance_told, true)) return;
    lane.world.alerts.raise(alert_of(
        AlertKind::low_balance, lane.submitter,
        fmt::format("The account has {} wei left beside what is in flight, less than {}; fund it before it runs dry",
                    left, *lane.options.low_balance)));
}

// Somebody waits for a nonce, or wants to know in time when the account runs dry.
bool is_wanted(const LaneContext& lane, const LaneMemory& memory) {
    if (!memory.queue.empty()) return true;
    return lane.options.low_balance && (memory.balance_wanted || !memory.tracked.empty());
}

}  // namespace

void start_reading_balance(LaneContext& lane, LaneMemory& memory) {
    if (!is_wanted(lane, memory) || memory.reading_balance || memory.balance_not_before > lane.now()) return;
    const auto* head = lane.watch.view().head();
    const auto as_of = head == nullptr ? BlockNumber{} : head->number;
    const bool is_new = memory.balance && memory.balance_asked == as_of;
    if (is_new && !(lane.options.low_balance && memory.balance_wanted)) return;
    memory.balance_wanted = false;
    memory.reading_balance = true;
    memory.balance_asked = as_of;
    lane.send_out(read_balance(&lane));
}

void take_balance(const LaneContext& lane, LaneMemory& memory, const BalanceRead& read) {
    memory.reading_balance = false;
    if (read.balance) {
        memory.balance = *read.balance;
        memory.balance_as_of = memory.balance_asked;
        memory.balance_failures = 0;
        watch_low_balance(lane, memory);
    } else {
        memory.balance_asked.reset();
        memory.balance_not_before = lane.now() + lane.backoff(++memory.balance_failures);
    }
}

std::optional<Wei> set_aside(const LaneOptions& options, const Fees& fees, Gas gas_limit, Wei value) {
    const auto own = max_cost(fees, gas_limit, value);
    const auto filler = max_cost(LegacyFee{options.filler_fee_cap}, options.filler_gas, Wei{});
    if (!own || !filler) return std::nullopt;
    return std::max(*own, *filler);
}

Wei in_flight_cost(const LaneOptions& options, const LaneMemory& memory) {
    Uint256 total;
    for (const auto& [nonce, tracked] : memory.tracked) {
        if (!tracked.is_in_flight() && is_in_balance(memory, tracked)) continue;
        // Any of its attempts, or of what a connector was asked for, may be the one that is mined.
        Uint256 dearest;
        const auto consider = [&](const auto& variant) {
            const auto cost = set_aside(options, variant.fees, variant.gas_limit, tracked.intent.value);
            dearest = std::max(dearest, cost ? cost->value() : Uint256::max());
        };
        std::ranges::for_each(tracked.tx.attempts, consider);
        std::ranges::for_each(tracked.tx.claims, consider);
        total = Uint256::checked_add(total, dearest).value_or(Uint256::max());
    }
    return Wei(total);
}

Affordable affordable(const LaneMemory& memory, const Wei& taken, const std::optional<Wei>& cost) {
    if (!memory.balance) return Affordable::later;
    const auto total = cost ? Uint256::checked_add(taken.value(), cost->value()) : std::nullopt;
    if (total && *total <= memory.balance->value()) return Affordable::yes;
    return taken.value().is_zero() ? Affordable::no : Affordable::later;
}

}  // namespace fencepost::lane
