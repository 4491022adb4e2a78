#include "lane/track/reconcile.hpp"

#include <fmt/format.h>

#include "lane/track/external_use.hpp"

namespace fencepost::lane {
namespace {

// The counts are not older than the lane's head (law 5): guaranteed by the port.
Task<void> read_counts(LaneContext* context) {
    auto& lane = *context;
    lane.inbox.put(CountsRead{co_await lane.chain().counts(lane.submitter)});
}

Task<void> align_nonces(LaneContext* context) {
    auto& lane = *context;
    const auto aligned = co_await lane.nonces.align();
    if (aligned) {
        lane.inbox.put(NoncesAligned{*aligned});
    } else {
        lane.inbox.put(TaskFailed{});
    }
}

Task<void> find_external_use(LaneContext* context, Nonce cursor, AccountCounts counts) {
    auto& lane = *context;
    auto use = co_await describe_external_use(&lane, cursor, counts);
    lane.inbox.put(ExternalUseRead{cursor, std::move(use.reason), use.is_certain});
}

void end_round(const LaneContext& lane, LaneMemory& memory, std::string_view result) {
    lane.world.telemetry.count(Counter::reconcile, result);
    memory.reconcile.answered(lane.now() + lane.options.reconcile_interval);
    touch_unverified(memory);
}

// No endpoint could tell: retry, long before the next round.
void try_again(const LaneContext& lane, LaneMemory& memory, const std::string& why) {
    if (memory.reconcile.failures == 0) {
        lane.world.log.write(Severity::warning, "Reconciliation failed; retrying",
                             {{"submitter", lane.name}, {"why", why}});
    }
    lane.retry(memory.reconcile);
    memory.reconcile.due = std::min(memory.reconcile.due, lane.now() + lane.options.reconcile_interval);
    if (memory.reconcile.failures >= lane.options.reconcile_failures) {
        lane.world.alerts.raise(alert_of(
            AlertKind::reconcile_failure, lane.submitter,
            fmt::format("Reconciliation with the chain failed {} times in a row: {}", memory.reconcile.failures, why)));
    }
    lane.world.telemetry.count(Counter::reconcile, "unknown");
}

void stop_submitter(LaneContext& lane, LaneMemory& memory, const std::string& reason, Turn& turn) {
    end_round(lane, memory, "protected");
    turn.set_status(SubmitterStatus::protect, reason);
    turn.alert(
        alert_of(AlertKind::protect, lane.submitter, fmt::format("The reconciler stopped the submitter: {}", reason)));
}

// An endpoint may lag, or have lost its data temporarily: not trusted at once.
void handle_low_count(LaneContext& lane, LaneMemory& memory, const AccountCounts& counts, Turn& turn) {
    if (!memory.low_count_until) memory.low_count_until = lane.now() + lane.options.bootstrap_timeout;
    if (lane.now() >= *memory.low_count_until)
        return stop_submitter(lane, memory, describe_wrong_chain(counts, memory.watch_from), turn);
    memory.reconcile.running = false;
    memory.reconcile.due = lane.now() + std::min(mismatch_retry, lane.options.reconcile_interval);
}

// Consumed by the chain's count, without a recorded receipt: most likely by one of our attempts. Queries receipts now;
// if there is none, the external transaction is looked up.
std::size_t query_receipts(const LaneContext& lane, LaneMemory& memory, Nonce count) {
    std::size_t asked = 0;
    for (auto& [nonce, tracked] : memory.tracked) {
        if (nonce >= count) break;
        if (!is_in_flight(tracked.tx) || tracked.lost || tracked.taken) continue;
        tracked.nonce_maybe_consumed = true;
        // Failed calls are retried on their own schedule.
        if (tracked.receipts.failures == 0) tracked.receipts.due = std::min(tracked.receipts.due, lane.now());
        memory.touch(tracked);
        ++asked;
    }
    return asked;
}

}  // namespace

bool reconcile_now(const LaneContext& lane, LaneMemory& memory) {
    if (memory.reconcile.running) return false;
    memory.reconcile.due = lane.now();
    return true;
}

void start_reconciling(LaneContext& lane, LaneMemory& memory) {
    if (!memory.has_cursor || !memory.reconcile.is_due(lane.now())) return;
    memory.reconcile.start();
    memory.verification.asks_after_head = memory.verification.knows_head(lane.now());
    memory.balance_wanted = true;
    lane.spawn(read_counts(&lane));
}

void handle_counts(LaneContext& lane, LaneMemory& memory, const CountsRead& read, Turn& turn) {
    if (!read.counts) return try_again(lane, memory, read.counts.error().what);
    const auto& counts = *read.counts;
    auto& verification = memory.verification;
    verification.count_read = verification.count_read || verification.asks_after_head;
    touch_unverified(memory);
    const auto asked = query_receipts(lane, memory, counts.latest);
    // An operator has been alerted already, and decides.
    if (turn.status() == SubmitterStatus::protect) return end_round(lane, memory, "stopped");
    if (is_wrong_chain(counts, memory.watch_from)) return handle_low_count(lane, memory, counts, turn);
    memory.low_count_until.reset();
    if (lane.nonces.is_shared()) return lane.spawn(align_nonces(&lane));
    // Bytes are sent after the cursor has passed their nonce, and the counts were read earlier: anything at or above
    // the cursor is external.
    const auto cursor = memory.window.next();
    if (counts.pending > cursor) return lane.spawn(find_external_use(&lane, cursor, counts));
    end_round(lane, memory, asked > 0 ? "repaired" : "clean");
}

void handle_aligned(const LaneContext& lane, LaneMemory& memory, const NoncesAligned& aligned) {
    if (!aligned.done) return try_again(lane, memory, "the chain or the database did not answer");
    end_round(lane, memory, "aligned");
}

void handle_external_use_read(LaneContext& lane, LaneMemory& memory, const ExternalUseRead& read, Turn& turn) {
    if (!read.is_certain) return try_again(lane, memory, read.reason);
    // Meanwhile it was allocated to one of ours, and the external transaction is found there.
    if (memory.window.next() != read.cursor) return try_again(lane, memory, "the cursor moved during the query");
    stop_submitter(lane, memory, read.reason, turn);
}

}  // namespace fencepost::lane
