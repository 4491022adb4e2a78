#include "lane/track/track.hpp"

#include <fmt/format.h>

#include "lane/track/external_tx.hpp"

namespace fencepost::lane {
namespace {

struct Question {
    Nonce nonce;
    std::vector<TxHash> hashes;
};

// Only endpoints that have reached our head may answer "none": one that lags proves nothing.
Evidence from_the_head(const LaneContext& lane) {
    const auto* head = lane.watch.view().head();
    return {.at_least = head == nullptr ? BlockNumber{} : head->number};
}

// All attempts' hashes are queried before a conclusion about a nonce (law 3).
void report(LaneContext& lane, const Question& question, std::span<const RpcResult<std::optional<Receipt>>> answers) {
    bool certain = true;
    for (const auto& answer : answers) {
        certain = certain && answer.has_value();
        if (!answer || !*answer) continue;
        lane.world.telemetry.count(Counter::receipt_check, "hit");
        lane.inbox.put(ReceiptSeen{**answer});
        return;
    }
    lane.world.telemetry.count(Counter::receipt_check, certain ? "miss" : "error");
    if (certain) {
        lane.inbox.put(ReceiptsMissing{question.nonce});
    } else {
        lane.inbox.put(ReceiptsUnknown{question.nonce});
    }
}

Task<void> ask(LaneContext* context, std::vector<Question> questions) {
    auto& lane = *context;
    const auto turn = co_await lane.world.receipt_workers.take();
    std::vector<TxHash> hashes;
    for (const auto& question : questions)
        hashes.insert(hashes.end(), question.hashes.begin(), question.hashes.end());
    const auto begun = lane.now();
    const auto answers = co_await lane.chain().receipts(hashes, from_the_head(lane));
    lane.world.telemetry.observe(Latency::receipt_query, lane.now() - begun);
    std::span rest(answers);
    for (const auto& question : questions) {
        report(lane, question, rest.first(question.hashes.size()));
        rest = rest.subspan(question.hashes.size());
    }
}

std::vector<TxHash> hashes_of(const Transaction& tx) {
    std::vector<TxHash> hashes;
    std::ranges::transform(tx.attempts, std::back_inserter(hashes), &Attempt::hash);
    return hashes;
}

bool contradicts(const CanonicalChain& view, const Receipt& receipt) {
    const auto* block = view.at(receipt.block_number);
    return block != nullptr && block->hash != receipt.block_hash;
}

// Both the intent and a gap filler were sent, a reorg removed the mined one, and the other was mined. The caller was
// told otherwise, and the verdict stays: an operator is alerted. If an operator had revoked the verdict, the gap filler
// is expected, and the intent is the surprise.
void compare_with_verdict(LaneContext& lane, const Tracked& tracked, const Receipt& receipt, Edit& edit) {
    if (!is_settled(tracked.tx)) return;
    const bool filler = tracked.tx.attempt_with(receipt.hash)->kind == AttemptKind::filler;
    const bool executed = !filler && receipt.succeeded;
    const auto told = tracked.tx.position.state;
    const bool revoked = tracked.tx.abandonment == Abandonment::revoked;
    if (revoked && filler) {
        edit.note(HistoryKind::filler,
                  fmt::format("mined as requested by an operator: {} no longer holds", name_of(told)));
        return;
    }
    if (!revoked && executed == (told == State::confirmed)) return;
    const auto* what = revoked ? "Intent of a settled transaction mined although its verdict was revoked"
                               : "Settled transaction mined with a different outcome after a reorg";
    if (revoked)
        edit.note(HistoryKind::diagnosed, fmt::format("{} was revoked, and the intent was mined", name_of(told)));
    lane.world.log.write(
        Severity::alert, what,
        {{"submitter", lane.name}, {"tx", fmt::format("{}", tracked.tx.id)}, {"told", std::string(name_of(told))}});
}

}  // namespace

bool needs_receipts(const Tracked& tracked) { return is_in_flight(tracked.tx) && !tracked.lost; }

void start_receipt_query(LaneContext& lane, LaneMemory& memory, const std::vector<Nonce>& nonces) {
    std::vector<Question> questions;
    for (const auto nonce : nonces) {
        auto& tracked = memory.tracked.at(nonce);
        tracked.receipts.start();
        tracked.asks_after_head = memory.verification.knows_head(lane.now());
        questions.push_back({nonce, hashes_of(tracked.tx)});
    }
    if (!questions.empty()) lane.spawn(ask(&lane, std::move(questions)));
}

void handle_receipt(LaneContext& lane, LaneMemory& memory, const ReceiptSeen& seen, Turn& turn) {
    auto* tracked = memory.touch(seen.receipt.hash);
    if (tracked == nullptr) return;
    tracked->receipts.running = false;
    tracked->receipts.failures = 0;
    if (std::exchange(tracked->nonce_maybe_consumed, false)) lane.world.telemetry.count(Counter::tx_submit, "resolved");
    if (contradicts(lane.watch.view(), seen.receipt)) {
        lane.retry(tracked->receipts);
        return;
    }
    if (tracked->tx.receipt == seen.receipt) return;
    auto& edit = turn.edit(tracked->tx);
    if (edit.next.receipt == seen.receipt) return;  // the watch and a poll may report it in one turn
    const bool was_allocated = edit.next.position.state == State::allocated;
    switch (edit.move(Trigger::receipt_found)) {
        case Moved::never:
            return;
        case Moved::later:
            return turn.postpone(seen);
        case Moved::yes:
            break;
    }
    if (was_allocated) edit.tell(TxSubmitted{seen.receipt.hash});
    edit.next.receipt = seen.receipt;
    edit.update.receipt = seen.receipt;
    edit.tell(TxReceiptUpdated{seen.receipt.block_number, seen.receipt.succeeded});
    edit.note(HistoryKind::mined,
              fmt::format("block {}, {}", seen.receipt.block_number, seen.receipt.succeeded ? "succeeded" : "failed"));
    compare_with_verdict(lane, *tracked, seen.receipt, edit);
}

void handle_missed(LaneContext& lane, LaneMemory& memory, const ReceiptMissed& missed) {
    auto* tracked = memory.touch(missed.hash);
    if (tracked == nullptr) return;
    // If a query is running, its answer counts.
    const bool running = tracked->receipts.running;
    lane.retry(tracked->receipts);
    tracked->receipts.running = running;
}

void handle_missing(LaneContext& lane, LaneMemory& memory, const ReceiptsMissing& missing, Turn& turn) {
    auto* found = memory.touch(missing.nonce);
    if (found == nullptr) return;
    auto& tracked = *found;
    tracked.receipts.answered(lane.now() + lane.options.stale_receipt_timeout);
    tracked.receipts_read = tracked.receipts_read || tracked.asks_after_head;
    turn.edit(tracked.tx).update.receipt_missing = true;
    if (std::exchange(tracked.nonce_maybe_consumed, false)) {
        start_external_lookup(lane, tracked);
    }
}

void handle_unknown(LaneContext& lane, LaneMemory& memory, const ReceiptsUnknown& unknown) {
    if (auto* tracked = memory.touch(unknown.nonce)) lane.retry(tracked->receipts);
}

}  // namespace fencepost::lane
