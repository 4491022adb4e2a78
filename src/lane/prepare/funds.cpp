#include "lane/prepare/funds.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "domain/amount_text.hpp"

namespace fencepost::lane {
namespace {

// A mined transaction is paid for only once the balance was read after its block.
bool is_in_balance(const LaneMemory& memory, const Tracked& tracked) {
    if (is_settled(tracked.tx) || !is_mined(tracked.tx)) return true;
    return memory.balance_as_of && tracked.tx.receipt->block_number <= *memory.balance_as_of;
}

// Any of its attempts or claims may be the one that is mined.
Uint256 max_reserve(const LaneOptions& options, const Tracked& tracked) {
    Uint256 most;
    const auto consider = [&](const auto& variant) {
        const auto cost = reserve_for(options, variant.fees, variant.gas_limit, tracked.intent.value);
        most = std::max(most, cost ? cost->value() : Uint256::max());
    };
    std::ranges::for_each(tracked.tx.attempts, consider);
    std::ranges::for_each(tracked.tx.claims, consider);
    return most;
}

// Transactions mined up to that block are included in the balance now.
void release_paid(const LaneOptions& options, LaneMemory& memory, const std::optional<BlockNumber>& before) {
    const auto from = before ? BlockNumber(before->next()) : BlockNumber{};
    const auto& confirming = memory.blocks.confirming;
    for (auto block = confirming.lower_bound({from, BlockHash{}}); block != confirming.end(); ++block) {
        if (block->first.number > *memory.balance_as_of) break;
        for (const auto nonce : block->second.nonces)
            if (auto* tracked = memory.find(nonce)) update_reserve(options, memory, *tracked);
    }
}

Task<void> read_balance(LaneContext* context) {
    auto& lane = *context;
    auto balance = co_await lane.chain().balance(lane.submitter, At::latest);
    lane.inbox.put(BalanceRead{std::move(balance)});
}

// Alerts once, and again only after it was above the threshold. A transaction mined just now is already in the balance
// and still in flight until its receipt arrives, so the balance must be low twice in a row.
void alert_low_balance(const LaneContext& lane, LaneMemory& memory) {
    if (!lane.options.low_balance) return;
    const auto taken = memory.reserve.total();
    const auto& balance = memory.balance->value();
    const Wei left(balance > taken ? balance - taken : Uint256{});
    const bool is_low = left < *lane.options.low_balance;
    const bool was_low = std::exchange(memory.balance_was_low, is_low);
    if (!is_low) memory.low_balance_alerted = false;
    if (!is_low || !was_low || std::exchange(memory.low_balance_alerted, true)) return;
    lane.world.alerts.raise(alert_of(
        AlertKind::low_balance, lane.submitter,
        fmt::format("The account has {} left besides the reserve for transactions in flight, less than {}; fund it",
                    amount_text(left), amount_text(*lane.options.low_balance))));
}

// A transaction waits for a nonce, or the low-balance alert needs it.
bool is_wanted(const LaneContext& lane, const LaneMemory& memory) {
    if (!memory.queue.empty()) return true;
    return lane.options.low_balance && (memory.balance_wanted || memory.is_watching());
}

}  // namespace

void start_balance_read(LaneContext& lane, LaneMemory& memory) {
    if (!is_wanted(lane, memory) || !memory.balance_read.is_due(lane.now())) return;
    const auto* head = lane.watch.view().head();
    const auto as_of = head == nullptr ? BlockNumber{} : head->number;
    const bool is_new = memory.balance && memory.balance_asked == as_of;
    if (is_new && !(lane.options.low_balance && memory.balance_wanted)) return;
    memory.balance_wanted = false;
    memory.balance_read.start();
    memory.balance_asked = as_of;
    lane.spawn(read_balance(&lane));
}

void handle_balance(const LaneContext& lane, LaneMemory& memory, const BalanceRead& read) {
    memory.balance_read.running = false;
    if (read.balance) {
        memory.balance = *read.balance;
        const auto before = std::exchange(memory.balance_as_of, memory.balance_asked);
        memory.balance_read.failures = 0;
        release_paid(lane.options, memory, before);
        alert_low_balance(lane, memory);
    } else {
        memory.balance_asked.reset();
        lane.retry(memory.balance_read);
    }
}

std::optional<Wei> reserve_for(const LaneOptions& options, const Fees& fees, Gas gas_limit, Wei value) {
    const auto own = max_cost(fees, gas_limit, value);
    const auto filler = max_cost(LegacyFee{options.filler_fee_cap}, options.filler_gas, Wei{});
    if (!own || !filler) return std::nullopt;
    return std::max(*own, *filler);
}

void update_reserve(const LaneOptions& options, LaneMemory& memory, Tracked& tracked) {
    auto& listed = tracked.listed;
    Uint256 reserved;
    if (is_in_flight(tracked.tx) || !is_in_balance(memory, tracked)) {
        const auto variants = tracked.tx.attempts.size() + tracked.tx.claims.size();
        reserved = variants == listed.variants ? listed.reserved : max_reserve(options, tracked);
        listed.variants = variants;
    } else {
        listed.variants = 0;
    }
    if (reserved == listed.reserved) return;
    memory.reserve.change(listed.reserved, reserved);
    listed.reserved = reserved;
}

Affordable affordable(const LaneMemory& memory, const Wei& taken, const std::optional<Wei>& cost) {
    if (!memory.balance) return Affordable::later;
    const auto total = cost ? Uint256::checked_add(taken.value(), cost->value()) : std::nullopt;
    if (total && *total <= memory.balance->value()) return Affordable::yes;
    return taken.value().is_zero() ? Affordable::no : Affordable::later;
}

}  // namespace fencepost::lane
