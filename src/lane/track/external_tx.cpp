#include "lane/track/external_tx.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/hex.hpp"
#include "lane/broadcast/grey_zone.hpp"
#include "lane/broadcast/submit.hpp"

namespace fencepost::lane {
namespace {

bool is_finalized(const LaneContext& lane, const NonceTaken& taken) {
    return lane.watch.finalized() && taken.block_number <= *lane.watch.finalized();
}

// The endpoint without a receipt may have lagged (failure 27): only a hash is evidence.
Task<void> find_external_tx(LaneContext* context, Nonce nonce, std::vector<Attempt> ours,
                            std::vector<ClaimedSend> claims) {
    auto& lane = *context;
    const auto use = co_await lane.chain().find_nonce_use(lane.submitter, nonce);
    if (!use) co_return;
    if (!use->consumed) {
        // The reporting endpoint may lag; the highest count that is not older than our view does not.
        const auto count = co_await lane.chain().transaction_count(lane.submitter, At::latest);
        if (count && *count <= nonce) lane.inbox.put(NonceFree{nonce});
        co_return;
    }
    if (!use->by || !use->where || !use->where->block_hash) co_return;
    if (std::ranges::find(ours, *use->by, &Attempt::hash) != ours.end()) co_return;
    // A connector may have sent our transaction under a hash that it never reported.
    if (!claims.empty()) {
        auto match = co_await match_claim(&lane, *use->by, std::move(claims));
        if (!match) co_return;
        if (*match) co_return lane.inbox.put(SubmissionFound{nonce, std::move(**match), *use->by});
    }
    lane.inbox.put(NonceTaken{nonce, *use->by, *use->where->block_number, *use->where->block_hash});
}

// Reads the canonical block at the height of the external transaction. The start of the view is a parameter, because
// the watch may restart before this runs.
Task<void> read_external_block(LaneContext* context, NonceTaken taken, BlockRef oldest) {
    auto& lane = *context;
    const auto block = co_await lane.chain().block(taken.block_number, {.having = oldest});
    ExternalBlockRead read{.nonce = taken.nonce, .block = taken.block_hash};
    if (block && *block) read.found = (*block)->ref.hash;
    lane.inbox.put(read);
}

// A shared key continues with the chain's current state.
void handle_external_use(LaneContext& lane, const std::string& reason, Turn& turn) {
    lane.nonces.invalidate();
    if (lane.nonces.is_shared()) {
        lane.world.log.write(Severity::warning, "Nonce of a shared key used by an external transaction",
                             {{"submitter", lane.name}, {"why", reason}});
        return;
    }
    turn.set_status(SubmitterStatus::protect, reason);
    turn.alert(alert_of(AlertKind::protect, lane.submitter,
                        fmt::format("The key is used by an external sender; the submitter is stopped: {}", reason)));
}

std::string reason_of(const NonceTaken& taken) {
    return fmt::format("nonce {} was used by the external transaction {}", taken.nonce,
                       to_hex_prefixed(taken.by.view()));
}

void lose_nonce(LaneContext& lane, Tracked& tracked, const NonceTaken& taken, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    switch (edit.move(Trigger::nonce_taken)) {
        case Moved::never:
            return;
        case Moved::later:
            return turn.postpone(taken);
        case Moved::yes:
            break;
    }
    const auto reason = reason_of(taken);
    edit.update.error = reason;
    edit.note(HistoryKind::stuck, reason);
    // With a shared key it fails automatically when that is final.
    if (!lane.nonces.is_shared()) turn.alert_operator(edit.next, reason);
    handle_external_use(lane, reason, turn);
}

// The caller was told that it was executed, and it is not: verdict and flag stay, and an operator is alerted.
void lose_settled(LaneContext& lane, Tracked& tracked, const NonceTaken& taken, Turn& turn) {
    const auto reason =
        fmt::format("{}; ours was {} before a reorg removed it", reason_of(taken), name_of(tracked.tx.position.state));
    turn.edit(tracked.tx).note(HistoryKind::forked, reason);
    handle_external_use(lane, reason, turn);
}

// Its block was removed, and our bytes may be mined again. The submitter stays stopped: the key is used elsewhere.
void regain_nonce(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    // A transaction that only a connector may have sent returns to the grey zone.
    const bool has_hash = !tracked.tx.attempts.empty();
    const auto trigger = has_hash ? Trigger::external_tx_removed : Trigger::submit_unknown;
    // The next turn retries.
    if (!is_settled(tracked.tx) && edit.move(trigger) != Moved::yes) return;
    const auto who = tracked.taken ? fmt::format("transaction {}, which", to_hex_prefixed(tracked.taken->by.view()))
                                   : "the transaction that";
    edit.note(HistoryKind::forked, fmt::format("{} had used the nonce, is no longer on the chain", who));
    edit.update.next_action_in = lane.options.resubmit_interval;
    tracked.facts.resend_due = lane.now() + lane.options.resubmit_interval;
    tracked.clear_external_tx();
    if (!has_hash) return set_lookup_clocks(lane, tracked, edit);
    turn.send(edit);
}

void lose_permanently(LaneContext& lane, Tracked& tracked, Turn& turn) {
    auto& edit = turn.edit(tracked.tx);
    const auto reason = fmt::format("{}: transaction {} has used its nonce", name_of(SubState::nonce_taken),
                                    to_hex_prefixed(tracked.taken->by.view()));
    if (is_settled(tracked.tx)) {
        tracked.lost = true;
        edit.note(HistoryKind::forked, fmt::format("{} permanently; it is no longer resent", reason));
        lane.world.log.write(Severity::alert, "Settled transaction removed by a reorg can no longer be mined",
                             {{"submitter", lane.name}, {"tx", fmt::format("{}", tracked.tx.id)}, {"why", reason}});
        return;
    }
    if (edit.move(Trigger::external_tx_final) != Moved::yes) return;
    edit.update.error = reason;
    edit.tell(TxFailed{reason});
    edit.note(HistoryKind::failed, reason);
}

}  // namespace

void start_external_lookup(LaneContext& lane, const Tracked& tracked) {
    lane.spawn(find_external_tx(&lane, *tracked.tx.nonce, tracked.tx.attempts, tracked.tx.claims));
}

bool is_taken(const Tracked& tracked) {
    return has_lost_nonce(tracked.tx) || (tracked.taken && is_removed(tracked.tx));
}

bool needs_external_lookup(const LaneContext& lane, const Tracked& tracked) {
    if (!is_taken(tracked) || tracked.lost) return false;
    return !tracked.taken ||
           (!tracked.external_tx_is_final && lane.watch.is_final_below_view(tracked.taken->block_number));
}

void restart_external_lookup(LaneContext& lane, Tracked& tracked) {
    if (!tracked.taken) {
        tracked.external.due = lane.now() + lane.options.stale_receipt_timeout;
        return start_external_lookup(lane, tracked);
    }
    tracked.external.start();
    lane.spawn(read_external_block(&lane, *tracked.taken, *lane.watch.view().oldest()));
}

void handle_taken(LaneContext& lane, LaneMemory& memory, const NonceTaken& taken, Turn& turn) {
    auto* found = memory.touch(taken.nonce);
    if (found == nullptr || is_mined(found->tx)) return;
    auto& tracked = *found;
    // The lookup used the attempts of its time; there may be more now.
    if (tracked.tx.attempt_with(taken.by) != nullptr) return;
    const bool is_news = !tracked.taken || tracked.taken->by != taken.by;
    tracked.clear_external_tx();
    tracked.taken = std::make_unique<NonceTaken>(taken);
    if (is_removed(tracked.tx)) {
        if (is_news) lose_settled(lane, tracked, taken, turn);
    } else if (!has_lost_nonce(tracked.tx)) {
        lose_nonce(lane, tracked, taken, turn);
    }
}

void handle_free(LaneContext& lane, LaneMemory& memory, const NonceFree& free, Turn& turn) {
    auto* found = memory.touch(free.nonce);
    if (found == nullptr || !is_taken(*found) || turn.has_new_receipt(found->tx)) return;
    regain_nonce(lane, *found, turn);
}

void handle_external_block(LaneContext& lane, LaneMemory& memory, const ExternalBlockRead& read, Turn& turn) {
    auto* found = memory.touch(read.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    tracked.external.running = false;
    // Meanwhile it may have been identified again, or be one of ours.
    if (!is_taken(tracked) || !tracked.taken || tracked.taken->block_hash != read.block) return;
    if (!read.found) {
        lane.retry(tracked.external);
    } else if (*read.found == read.block) {
        tracked.external_tx_is_final = true;
    } else if (!turn.has_new_receipt(tracked.tx)) {
        regain_nonce(lane, tracked, turn);
    }
}

namespace {

enum class Fate { open, gone, final };

// Below the view nothing is known: a reorg may have removed it while the view was lost.
Fate fate_of(const LaneContext& lane, const Tracked& tracked) {
    if (!tracked.taken || !is_taken(tracked) || tracked.lost) return Fate::open;
    const auto* block = lane.watch.view().at(tracked.taken->block_number);
    if (block != nullptr && block->hash != tracked.taken->block_hash) return Fate::gone;
    const bool stands = block != nullptr || tracked.external_tx_is_final;
    return stands && is_finalized(lane, *tracked.taken) ? Fate::final : Fate::open;
}

}  // namespace

bool is_decided_externally(const LaneContext& lane, const Tracked& tracked) {
    return fate_of(lane, tracked) != Fate::open;
}

void update_external_tx(LaneContext& lane, Tracked& tracked, Turn& turn) {
    if (turn.has_new_receipt(tracked.tx)) return;
    switch (fate_of(lane, tracked)) {
        case Fate::open:
            return;
        case Fate::gone:
            return regain_nonce(lane, tracked, turn);
        case Fate::final:
            return lose_permanently(lane, tracked, turn);
    }
}

}  // namespace fencepost::lane
