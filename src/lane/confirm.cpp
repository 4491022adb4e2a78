#include "lane/confirm.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace fencepost::lane {
namespace {

void roll_back(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    const auto trigger = tracked.is_settled() ? Trigger::removed_after_final : Trigger::receipt_rolled_back;
    if (edit.move(trigger) != Moved::yes) return;  // the next turn finds it again
    const auto lost = *edit.next.receipt;
    edit.next.receipt.reset();
    edit.update.receipt = RollBackReceipt{};
    edit.update.next_action_in = lane.options.resubmit_interval;
    edit.note(HistoryKind::forked, fmt::format("block {} {} is no longer on the chain", lost.block_number,
                                               to_hex_prefixed(lost.block_hash.view())));
    tracked.resend_at = lane.now() + lane.options.resubmit_interval;
    tracked.ask_at = lane.now() + lane.options.stale_receipt_timeout;
    turn.send(*tracked.tx.nonce);
    lane.world.telemetry.count(Counter::confirmations_new_fork);
    if (tracked.is_settled()) {
        lane.world.log.write(Severity::alert, "A reorg removed a settled transaction; its bytes are sent again",
                             {{"submitter", lane.submitter.to_string()}, {"tx", fmt::format("{}", tracked.tx.id)}});
    }
}

Task<std::vector<BlockRef>> read_above(LaneContext* context, BlockRef block, std::uint64_t count, Evidence evidence) {
    auto& lane = *context;
    std::vector<BlockRef> blocks;
    for (auto parent = block.hash; blocks.size() < count; parent = blocks.back().hash) {
        const auto above = co_await lane.chain().block(block.number.plus(blocks.size() + 1), evidence);
        if (!above || !*above || (*above)->ref.parent != parent) break;
        blocks.push_back((*above)->ref);
    }
    co_return blocks;
}

// `wanted` blocks above it are read, too; as many as there are, unless the verdict rests on their number. Where the
// view begins is told: when this runs the watch may have begun anew.
Task<void> read_deep_block(LaneContext* context, Receipt receipt, std::uint64_t wanted, BlockRef oldest) {
    auto& lane = *context;
    DeepBlockRead read{.hash = receipt.hash, .block = receipt.block_hash};
    const Evidence evidence{.having = oldest};
    const auto block = co_await lane.chain().block(receipt.block_number, evidence);
    if (block && *block) {
        const bool included = (*block)->ref.hash == receipt.block_hash;
        read.standing = included ? DeepBlockRead::Standing::included : DeepBlockRead::Standing::orphaned;
        if (included) read.confirmations = co_await read_above(&lane, (*block)->ref, wanted, evidence);
        const bool too_few = lane.options.finality == FinalityRule::depth && read.confirmations.size() < wanted;
        if (included && too_few) read.standing = DeepBlockRead::Standing::unknown;
    }
    lane.inbox.put(std::move(read));
}

bool lies_deep(const LaneContext& lane, const Tracked& tracked) {
    return tracked.confirmations && lane.watch.is_final_below_view(tracked.tx.receipt->block_number);
}

// How many blocks above its own are to be read: none for a settled one, of which only the place is in question. Nothing
// while the chain is not high enough for a verdict.
std::optional<std::uint64_t> confirmations_wanted(const LaneContext& lane, const Tracked& tracked) {
    if (tracked.is_settled()) return 0;
    const auto required = lane.options.confirmations_required;
    const auto* head = lane.watch.view().head();
    const bool high_enough = head != nullptr && head->number >= tracked.tx.receipt->block_number.plus(required);
    if (lane.options.finality == FinalityRule::depth && !high_enough) return std::nullopt;
    return required;
}

}  // namespace

void follow_chain(LaneContext& lane, LaneMemory& memory, Turn& turn) {
    const auto& view = lane.watch.view();
    for (auto& [nonce, tracked] : memory.tracked) {
        // What came with the same news, the receipt in the new branch, stands.
        if (!tracked.confirmations || turn.has_new_receipt(tracked.tx)) continue;
        if (tracked.confirmations->standing(view) == Standing::orphaned) {
            roll_back(lane, tracked, turn);
        } else if (const auto grown = tracked.confirmations->follow(view); grown && grown->new_fork) {
            lane.world.telemetry.count(Counter::confirmations_new_fork);
        }
    }
}

void start_reading_deep_blocks(LaneContext& lane, LaneMemory& memory) {
    for (auto& [nonce, tracked] : memory.tracked) {
        if (tracked.reading_deep || tracked.deep_confirmations || tracked.deep_not_before > lane.now()) continue;
        if (!lies_deep(lane, tracked)) continue;
        const auto wanted = confirmations_wanted(lane, tracked);
        if (!wanted) continue;
        tracked.reading_deep = true;
        lane.send_out(read_deep_block(&lane, *tracked.tx.receipt, *wanted, *lane.watch.view().oldest()));
    }
}

void take_deep_block(LaneContext& lane, LaneMemory& memory, const DeepBlockRead& read, Turn& turn) {
    auto* tracked = memory.find(read.hash);
    if (tracked == nullptr) return;
    tracked->reading_deep = false;
    // Meanwhile it may have been rolled back, or mined in another block.
    if (!tracked->is_mined() || tracked->tx.receipt->block_hash != read.block) return;
    switch (read.standing) {
        case DeepBlockRead::Standing::included:
            tracked->deep_confirmations = read.confirmations;
            return;
        case DeepBlockRead::Standing::orphaned:
            if (!turn.has_new_receipt(tracked->tx)) roll_back(lane, *tracked, turn);
            return;
        case DeepBlockRead::Standing::unknown:
            tracked->deep_not_before = lane.now() + lane.backoff(++tracked->ask_failures);
            return;
    }
}

bool is_final_now(const LaneContext& lane, const Tracked& tracked) {
    if (!tracked.confirmations) return false;
    const auto number = tracked.tx.receipt->block_number;
    const bool included = tracked.confirmations->standing(lane.watch.view()) == Standing::included;
    switch (lane.options.finality) {
        case FinalityRule::depth:
            if (tracked.deep_confirmations) {
                return tracked.deep_confirmations->size() >= lane.options.confirmations_required;
            }
            return included && tracked.confirmations->is_deep_enough();
        case FinalityRule::safe:
            return (included || tracked.deep_confirmations) && lane.watch.safe() && number <= *lane.watch.safe();
        case FinalityRule::finalized:
            return (included || tracked.deep_confirmations) && lane.watch.finalized() &&
                   number <= *lane.watch.finalized();
    }
    FP_UNREACHABLE();
}

}  // namespace fencepost::lane
