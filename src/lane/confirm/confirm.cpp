#include "lane/confirm/confirm.hpp"

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "domain/chain/confirmation_list.hpp"
#include "lane/recovery/recover.hpp"

namespace fencepost::lane {
namespace {

// A lane that opens after a long time may have to query hundreds of blocks.
constexpr std::size_t max_deep_reads = 16;

void roll_back(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    const auto trigger = is_settled(tracked.tx) ? Trigger::removed_after_final : Trigger::receipt_rolled_back;
    if (edit.move(trigger) != Moved::yes) return;  // the next turn retries
    const auto lost = *edit.next.receipt;
    edit.next.receipt.reset();
    edit.update.receipt = RollBackReceipt{};
    edit.update.next_action_in = lane.options.resubmit_interval;
    edit.note(HistoryKind::forked, fmt::format("block {} {} is no longer on the chain", lost.block_number,
                                               to_hex_prefixed(lost.block_hash.view())));
    tracked.facts.resend_due = lane.now() + lane.options.resubmit_interval;
    tracked.facts.bump_due = lane.now() + lane.options.bump.min_interval;
    tracked.receipts.due = lane.now() + lane.options.stale_receipt_timeout;
    turn.send(edit);
    lane.world.telemetry.count(Counter::confirmations_new_fork);
    if (is_settled(tracked.tx)) {
        lane.world.log.write(Severity::alert, "Reorg removed a settled transaction; resending it",
                             {{"submitter", lane.name}, {"tx", fmt::format("{}", tracked.tx.id)}});
    }
}

void touch_all(LaneMemory& memory, const ConfirmingBlock& block, WakeUp why) {
    for (const auto nonce : block.nonces)
        memory.touch(nonce, why);
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

// Also reads `wanted` blocks above it; fewer are sufficient unless the verdict depends on their number. The start of
// the view is a parameter, because the watch may restart before this runs.
Task<void> read_deep_block(LaneContext* context, BlockKey key, std::uint64_t wanted, BlockRef oldest) {
    auto& lane = *context;
    DeepBlockRead read{.number = key.number, .block = key.hash};
    const Evidence evidence{.having = oldest};
    const auto block = co_await lane.chain().block(key.number, evidence);
    if (block && *block) {
        const bool included = (*block)->ref.hash == key.hash;
        read.block_status = included ? DeepBlockRead::BlockStatus::included : DeepBlockRead::BlockStatus::orphaned;
        if (included) read.confirmations = co_await read_above(&lane, (*block)->ref, wanted, evidence);
        const bool too_few = lane.options.finality == FinalityRule::depth && read.confirmations.size() < wanted;
        if (included && too_few) read.block_status = DeepBlockRead::BlockStatus::unknown;
    }
    lane.inbox.put(std::move(read));
}

void query_deep_block(LaneContext& lane, LaneMemory& memory, const BlockKey& block, std::uint64_t wanted,
                      Retry& question) {
    if (!lane.watch.is_final_below_view(block.number)) return;
    if (!question.is_due(lane.now())) {
        memory.blocks_due = std::min(memory.blocks_due, question.next());
        return;
    }
    question.start();
    lane.spawn(read_deep_block(&lane, block, wanted, *lane.watch.view().oldest()));
}

Task<void> read_back(LaneContext* context, SettledBlock block) {
    auto& lane = *context;
    auto state = co_await lane.world.store.load_block(lane.submitter, block);
    lane.inbox.put(BlockReadBack{block, std::move(state)});
}

// Until they are loaded nothing above them is sent: their bytes go first.
void start_read_back(LaneContext& lane, LaneMemory& memory, const BlockKey& block, SettledBlockRange& range) {
    if (!std::exchange(range.removed, true)) {
        ++memory.blocks.removed;
        memory.open_gap(range.first);
    }
    if (!range.read_back.is_due(lane.now())) {
        memory.blocks_due = std::min(memory.blocks_due, range.read_back.next());
        return;
    }
    range.read_back.start();
    lane.spawn(read_back(&lane, {block.number, block.hash, range.first, range.last}));
}

bool is_deep_enough_at(const LaneContext& lane, BlockNumber number) {
    const auto* head = lane.watch.view().head();
    switch (lane.options.finality) {
        case FinalityRule::depth:
            return head != nullptr && head->number >= number.plus(lane.options.confirmations_required);
        case FinalityRule::safe:
            return lane.watch.safe() && number <= *lane.watch.safe();
        case FinalityRule::finalized:
            return lane.watch.finalized() && number <= *lane.watch.finalized();
    }
    FP_UNREACHABLE();
}

void handle_reorg(LaneContext& lane, LaneMemory& memory, BlockNumber from) {
    const auto& view = lane.watch.view();
    const BlockKey lowest{from, BlockHash{}};
    auto& confirming = memory.blocks.confirming;
    auto& settled = memory.blocks.settled;
    for (auto entry = confirming.lower_bound(lowest); entry != confirming.end(); ++entry)
        if (is_orphaned(view, entry->first)) touch_all(memory, entry->second, WakeUp::reorg);
    for (auto entry = settled.lower_bound(lowest); entry != settled.end(); ++entry)
        if (is_orphaned(view, entry->first)) start_read_back(lane, memory, entry->first, entry->second);
}

// Also when this head changes nothing below: the last read may have failed, and allocation waits for it.
void read_back_removed(LaneContext& lane, LaneMemory& memory) {
    if (!memory.blocks.is_reading_back()) return;
    for (auto& [block, range] : memory.blocks.settled)
        if (range.removed) start_read_back(lane, memory, block, range);
}

// Blocks that stay, but with other confirmations.
void count_new_forks(LaneContext& lane, const LaneMemory& memory, BlockNumber from) {
    for (const auto& [block, entry] : memory.blocks.confirming) {
        if (block.number >= from) break;
        if (from > block.number.plus(lane.options.confirmations_required)) continue;
        lane.world.telemetry.count(Counter::confirmations_new_fork, {}, entry.count);
    }
}

void touch_confirmed(LaneContext& lane, LaneMemory& memory) {
    for (auto& [block, entry] : memory.blocks.confirming) {
        if (!is_deep_enough_at(lane, block.number)) break;
        touch_all(memory, entry, WakeUp::deep_enough);
        if (!entry.deep_confirmations)
            query_deep_block(lane, memory, block, lane.options.confirmations_required, entry.deep);
    }
}

// In ascending order: nonces above one that is not known to be finalized stay watched.
void drop_finalized(LaneContext& lane, LaneMemory& memory) {
    auto& settled = memory.blocks.settled;
    const auto finalized = lane.watch.finalized();
    if (!finalized) return;
    while (!settled.empty()) {
        const auto& [block, range] = *settled.begin();
        const bool stands = range.stands || is_included(lane.watch.view(), block);
        if (block.number > *finalized || range.removed || !stands) break;
        memory.finalized_below = std::max(memory.finalized_below, Nonce(range.last.next()));
        memory.watch_may_move = true;
        memory.blocks.forget_settled(settled.begin());
    }
    std::size_t asked = 0;
    for (auto& [block, range] : settled) {
        // Below the view nothing is known: a reorg may have removed it while this submitter had no open lane.
        if (asked == max_deep_reads || !lane.watch.is_final_below_view(block.number)) break;
        if (range.stands || range.removed) continue;
        ++asked;
        query_deep_block(lane, memory, block, 0, range.deep);
    }
}

}  // namespace

void handle_head(LaneContext& lane, LaneMemory& memory, const HeadUpdate& news) {
    memory.blocks_due = Instant::max();
    if (news.is_new_block) note_block(memory);
    handle_reorg(lane, memory, news.from);
    read_back_removed(lane, memory);
    if (news.is_reorg) count_new_forks(lane, memory, news.from);
    touch_confirmed(lane, memory);
    for (const auto nonce : memory.external)
        memory.touch(nonce, WakeUp::external_fate);
    drop_finalized(lane, memory);
}

void roll_back_if_orphaned(LaneContext& lane, const LaneMemory& memory, Tracked& tracked, Turn& turn) {
    // A receipt from the new branch in the same turn is kept.
    if (!is_mined(tracked.tx) || turn.has_new_receipt(tracked.tx)) return;
    const auto* entry = memory.blocks.find(tracked.block());
    const bool orphaned = (entry != nullptr && entry->orphaned) || is_orphaned(lane.watch.view(), tracked.block());
    if (orphaned) roll_back(lane, tracked, turn);
}

void handle_deep_block(LaneContext& lane, LaneMemory& memory, const DeepBlockRead& read) {
    const BlockKey key{read.number, read.block};
    const bool unknown = read.block_status == DeepBlockRead::BlockStatus::unknown;
    const bool orphaned = read.block_status == DeepBlockRead::BlockStatus::orphaned;
    if (auto* entry = memory.blocks.find(key)) {
        unknown ? lane.retry(entry->deep) : entry->deep.answered({});
        entry->orphaned = orphaned;
        if (read.block_status == DeepBlockRead::BlockStatus::included) entry->deep_confirmations = read.confirmations;
        touch_all(memory, *entry, WakeUp::named);
        memory.blocks_due = std::min(memory.blocks_due, entry->deep.next());
    }
    const auto range = memory.blocks.settled.find(key);
    if (range == memory.blocks.settled.end()) return;
    unknown ? lane.retry(range->second.deep) : range->second.deep.answered({});
    range->second.stands = read.block_status == DeepBlockRead::BlockStatus::included;
    range->second.orphaned = orphaned;
    if (orphaned) start_read_back(lane, memory, key, range->second);
    memory.blocks_due = std::min(memory.blocks_due, range->second.deep.next());
}

void handle_read_back(LaneContext& lane, LaneMemory& memory, const BlockReadBack& read) {
    const BlockKey key{read.block.number, read.block.hash};
    const auto range = memory.blocks.settled.find(key);
    if (range == memory.blocks.settled.end()) return;
    if (!read.state) {
        lane.retry(range->second.read_back);
        memory.blocks_due = std::min(memory.blocks_due, range->second.read_back.next());
        return;
    }
    const auto gone = range->second;
    memory.blocks.forget_settled(range);
    --memory.blocks.removed;
    recover_transactions(lane, memory, *read.state, {lane.now(), lane.node_time()});
    if (auto* entry = memory.blocks.find(key)) entry->orphaned = gone.orphaned;
    memory.close_gap(gone.first);
}

bool is_final_now(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    if (!is_mined(tracked.tx)) return false;
    const auto block = tracked.block();
    if (!is_deep_enough_at(lane, block.number)) return false;
    if (is_included(lane.watch.view(), block)) return true;
    const auto* entry = memory.blocks.find(block);
    return entry != nullptr && entry->deep_confirmations;
}

std::vector<BlockRef> confirmations_of(const LaneContext& lane, const LaneMemory& memory, const Tracked& tracked) {
    const auto* entry = memory.blocks.find(tracked.block());
    if (entry != nullptr && entry->deep_confirmations) return *entry->deep_confirmations;
    return fencepost::confirmations_of(tracked.block().number, lane.watch.view(), lane.options.confirmations_required);
}

}  // namespace fencepost::lane
