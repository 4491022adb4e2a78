#include "lane/loop/turn.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "lane/loop/lane_metrics.hpp"

namespace fencepost::lane {

Moved Edit::move(Trigger trigger) {
    const auto to = fencepost::move(next.position, trigger);
    if (!to) return Moved::never;
    if (*to != update.expected && !is_allowed_move(update.expected, *to)) return Moved::later;
    next.position = *to;
    update.to = *to;
    return Moved::yes;
}

Edit& Turn::edit(const Transaction& tx) { return edits_.try_emplace(tx.id, tx).first->second; }

Edit& Turn::edit(const QueuedIntent& queued) {
    const Transaction tx{.id = queued.id, .submitter = write_.submitter, .sequence = queued.sequence};
    return edits_.try_emplace(queued.id, tx).first->second;
}

TxUpdate& Turn::edit_settled(TxId id, Position position) {
    return settled_.try_emplace(id, TxUpdate{.tx = id, .expected = position, .to = position}).first->second;
}

void Turn::requeue(TxId id, std::string why) {
    const auto edit = edits_.find(id);
    auto& update = edit == edits_.end() ? settled_.at(id) : edit->second.update;
    update.requeue = std::move(why);
    requeued_.insert(id);
}

void Turn::alert_operator(const Transaction& tx, std::string_view why) {
    const auto kind = alert_for(tx.position);
    FP_ASSERT(kind, "{} in {} needs no operator", tx.id, tx.position);
    alert(alert_of(*kind, tx.submitter, fmt::format("Transaction {} needs an operator: {}", tx.id, why)));
}

bool Turn::has_new_receipt(const Transaction& tx) const {
    const auto found = edits_.find(tx.id);
    return found != edits_.end() && found->second.next.receipt != tx.receipt;
}

bool Turn::has_moved(TxId id) const {
    const auto found = edits_.find(id);
    return found != edits_.end() && found->second.update.to != found->second.update.expected;
}

void Turn::set_status(SubmitterStatus status, std::string reason) {
    if (status_ == SubmitterStatus::protect) return;
    status_ = status;
    write_.status = {status, std::move(reason)};
}

void Turn::lift_protect() {
    status_ = SubmitterStatus::active;
    lifts_protect_ = true;
    write_.status = {status_, ""};
}

void Turn::recycle(Nonce nonce, std::string reason) {
    mark_nonce(
        {.nonce = nonce, .status = AllocationStatus::recyclable, .hash = std::nullopt, .reason = std::move(reason)});
    recycled_.insert(nonce);
}

bool Turn::allocates() const {
    return std::ranges::any_of(edits_, [](const auto& entry) { return entry.second.update.nonce.has_value(); });
}

bool Turn::empty() const {
    return edits_.empty() && settled_.empty() && marks_.empty() && !write_.cursor && !write_.watch_from &&
           !write_.status && write_.commands_done.empty();
}

LaneWrite Turn::to_write() const {
    auto write = write_;
    // Two reads may return the same command in one turn; it is completed once.
    std::ranges::sort(write.commands_done);
    write.commands_done.erase(std::ranges::unique(write.commands_done).begin(), write.commands_done.end());
    write.transactions.reserve(edits_.size() + settled_.size());
    for (const auto& [id, edit] : edits_)
        write.transactions.push_back(edit.update);
    for (const auto& [id, update] : settled_)
        write.transactions.push_back(update);
    for (const auto& [nonce, mark] : marks_)
        write.nonce_marks.push_back(mark);
    return write;
}

namespace {

TxFacts facts_of_new(const LaneContext& lane) {
    const auto now = lane.now();
    return {.resend_due = now + lane.options.resubmit_interval,
            .bump_due = now + lane.options.bump.min_interval,
            .stuck_due = now + lane.options.stuck_after,
            .send_claimed = true,
            .may_be_held = false};
}

}  // namespace

void Turn::record_progress(const LaneContext& lane, LaneMemory& memory) {
    if (edits_.empty()) return;
    const auto now = lane.now();
    const auto node_time = lane.node_time();
    for (auto& [id, edit] : edits_) {
        const auto& next = edit.next;
        // A new allocation has no progress: any owner that finds it ALLOCATED sends it. A mined transaction has none
        // either; the turn that rolls it back stores the initial values.
        if (!next.nonce || edit.update.nonce || is_mined(next) || recycled_.contains(*next.nonce)) continue;
        auto& facts = memory.tracked.at(*next.nonce).facts;
        facts.send_claimed = facts.send_claimed || edit.sends;
        edit.update.progress = progress_of(facts, now, node_time);
    }
}

void Turn::apply_to(LaneContext& lane, LaneMemory& memory) {
    count_committed(lane, memory, edits_);
    count_nonces(lane, edits_, marks_);
    if (write_.status) memory.status = *write_.status;
    if (write_.watch_from) memory.watch_from = *write_.watch_from;
    if (write_.window) {
        memory.pools.window.stored(*write_.window);
        lane.world.log.write(Severity::info, "Window changed",
                             {{"submitter", lane.name},
                              {"window", fmt::format("{}", write_.window->size)},
                              {"limit", std::string(name_of(write_.window->limit))}});
    }
    for (const auto& [id, edit] : edits_) {
        if (edit.update.nonce) memory.window.committed(*edit.update.nonce);
    }
    if (write_.cursor && write_.cursor->next < memory.window.next()) memory.window.move_back(write_.cursor->next);
    memory.executed.insert(write_.commands_done.begin(), write_.commands_done.end());
    memory.requeued.insert(requeued_.begin(), requeued_.end());
    for (auto& [id, edit] : edits_)
        apply_edit(lane, memory, edit);
    for (const auto nonce : recycled_) {
        memory.spent.forget(memory.tracked.at(nonce).tx.id);
        forget(lane, memory, nonce);
    }
}

void Turn::note_spending(const LaneContext& lane, LaneMemory& memory, const Tracked& tracked, const TxUpdate& update) {
    if (!limits_window(lane.options.policy)) return;
    const auto note = [&](const auto& variant) {
        const auto spending = spending_of(tracked.intent, variant.gas_limit, variant.fees);
        if (spending) memory.spent.add(tracked.tx.id, *spending, lane.now());
    };
    std::ranges::for_each(update.attempts, note);
    std::ranges::for_each(update.claims, note);
}

void Turn::forget(LaneContext& lane, LaneMemory& memory, Nonce nonce) {
    for (const auto& attempt : memory.tracked.at(nonce).tx.attempts)
        lane.watch.forget(attempt.hash);
    memory.window.consumed(nonce);  // also a nonce that was lost to an external transaction
    memory.stop_tracking(nonce);
}

// Settled, and not needed until a reorg removes its block; or its nonce is permanently lost.
void Turn::drop_settled(LaneContext& lane, LaneMemory& memory, const Tracked& tracked) {
    const auto nonce = *tracked.tx.nonce;
    if (is_mined(tracked.tx)) {
        memory.blocks.add_settled(tracked.block(), nonce, nonce);
    } else {
        memory.finalized_below = std::max(memory.finalized_below, Nonce(nonce.next()));
    }
    forget(lane, memory, nonce);
}

void Turn::apply_receipt(LaneMemory& memory, Tracked& tracked, const Transaction& next) {
    const auto nonce = *tracked.tx.nonce;
    tracked.failure.reset();
    if (is_mined(tracked.tx)) memory.blocks.remove(tracked.block());
    if (!next.receipt) return;
    tracked.clear_external_tx();
    clear_failures(tracked.facts);
    memory.blocks.add({next.receipt->block_number, next.receipt->block_hash}, nonce);
}

void Turn::begin_tracking(LaneContext& lane, LaneMemory& memory, Transaction tx) {
    auto item = memory.leave_queue(tx.sequence);
    auto& begun = memory.start_tracking(std::move(tx), std::move(item.queued.intent));
    // The receipt is found by block; it is polled only when none arrives for long.
    begun.receipts.due = lane.now() + lane.options.stale_receipt_timeout;
    begun.facts = facts_of_new(lane);
    begun.is_new = true;
    begun.accepted_at = item.accepted_at;
}

void Turn::apply_edit(LaneContext& lane, LaneMemory& memory, Edit& edit) {
    auto& next = edit.next;
    if (next.position.state == State::queued) return;  // only its notes changed, and it stays queued
    // A cancelled item may have been anywhere in the queue: it says nothing about earlier ones.
    const bool in_order = next.position.state != State::cancelled && (!next.nonce || edit.update.nonce);
    if (in_order) memory.low_water = std::max(memory.low_water, next.sequence.next());
    if (!next.nonce) {
        memory.leave_queue(next.sequence);  // rejected or cancelled: it never had a nonce
        return;
    }
    const auto nonce = *next.nonce;
    bool was_mined = false;
    if (edit.update.nonce) {
        begin_tracking(lane, memory, std::move(next));
    } else {
        auto& known = memory.tracked.at(nonce);
        was_mined = is_mined(known.tx);
        if (known.tx.receipt != next.receipt) apply_receipt(memory, known, next);
        known.tx = std::move(next);
    }
    auto& tracked = memory.tracked.at(nonce);
    tracked.is_being_recorded = false;
    memory.touch(tracked, WakeUp::committed);
    note_spending(lane, memory, tracked, edit.update);
    if (is_in_flight(tracked.tx)) {
        if (was_mined) {
            memory.window.unconsumed(nonce);
            tracked.seen = false;
            memory.pools.seen_below = std::min(memory.pools.seen_below, nonce);
        }
    } else {
        memory.window.consumed(nonce);
    }
    for (const auto& attempt : edit.update.attempts) {
        memory.by_hash[attempt.hash] = attempt.nonce;
        lane.watch.expect(attempt.hash, lane.listener);
    }
    if (recycled_.contains(nonce)) return;
    if (is_settled(tracked.tx) && (!is_removed(tracked.tx) || tracked.lost)) drop_settled(lane, memory, tracked);
}

}  // namespace fencepost::lane
