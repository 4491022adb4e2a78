#include "lane/recovery/reopen_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "lane/recovery/recover.hpp"

namespace fencepost::lane {
namespace {

// A stored clock starts when the write reaches the database, and continues when the next owner gets the answer: later
// by both durations. A paused node gets its answer late.
constexpr Duration longest_write = std::chrono::seconds(15);
constexpr Duration longest_read = std::chrono::seconds(40);

bool is_later_by_a_write(Instant open, Instant reopened, Duration slack) {
    return reopened >= open - longest_read - slack && reopened <= open + longest_write + slack;
}

bool agree(std::optional<Instant> open, std::optional<Instant> reopened, Duration slack) {
    if (!open || !reopened) return open.has_value() == reopened.has_value();
    return is_later_by_a_write(*open, *reopened, slack);
}

std::string clock_that_differs(const TxFacts& open, const TxFacts& reopened, bool is_sent_at_once, Duration slack) {
    if (!agree(open.first_sent, reopened.first_sent, slack)) return "when it was first sent";
    if (!agree(open.lookup_deadline, reopened.lookup_deadline, slack)) return "until when it is looked up";
    if (!is_later_by_a_write(open.stuck_due, reopened.stuck_due, slack)) return "when it is stuck";
    if (!is_sent_at_once && !is_later_by_a_write(open.resend_due, reopened.resend_due, slack))
        return "when it is sent again";
    // A policy that proposed no bump may be asked again earlier.
    if (reopened.bump_due > open.bump_due + longest_write + slack) return "when it is bumped";
    return {};
}

// Compares counters and decisions, with the clocks, which are compared above, taken as equal.
bool decide_alike(const TxFacts& open, TxFacts reopened) {
    reopened.first_sent = open.first_sent;
    reopened.lookup_deadline = open.lookup_deadline;
    reopened.resend_due = open.resend_due;
    reopened.bump_due = open.bump_due;
    reopened.stuck_due = open.stuck_due;
    reopened.may_be_held = open.may_be_held;
    return reopened == open;
}

// As if node and database clocks agreed. A node whose clock differs may only delay what is due.
UnixTime time_of_agreeing_clocks(const Sending* sending) {
    if (sending == nullptr || !sending->progress) return {};
    return sending->progress->written_at + std::chrono::floor<std::chrono::microseconds>(sending->since_progress);
}

std::string difference(const LaneContext& lane, const Tracked& tracked, const Transaction& tx, const Sending* sending) {
    if (tx.position != tracked.tx.position) return fmt::format("its position is {}", tx.position);
    if (tx.attempts != tracked.tx.attempts) return "its attempts";
    if (tx.receipt != tracked.tx.receipt) return "its receipt";
    if (tx.abandonment != tracked.tx.abandonment) return "its abandonment";
    // A mined transaction has no pending decision; the turn that rolls it back stores the next facts.
    if (is_mined(tx)) return {};
    // During its first send nothing is stored, and the next owner sends it at once.
    if (tx.position.state == State::allocated && (sending == nullptr || !sending->progress)) return {};
    const auto reopened = facts_at_opening(lane, tx, sending, {lane.now(), time_of_agreeing_clocks(sending)});
    const bool is_sent_at_once = reopened.send_claimed || tx.position.state == State::allocated;
    const auto slack = lane.options.wake_ups.clock_slack;
    auto clock = clock_that_differs(tracked.facts, reopened, is_sent_at_once, slack);
    if (!clock.empty()) return clock;
    return decide_alike(tracked.facts, reopened) ? "" : "counters or decisions";
}

// A settled transaction with a lost nonce needs nothing more; one that was read back and is on the chain is dropped
// again.
bool may_be_missing(const Transaction& tx) { return is_settled(tx); }

}  // namespace

std::optional<std::string> find_forgotten(const LaneContext& lane, const LaneMemory& memory, const LaneState& stored) {
    std::size_t found = 0;
    for (const auto& tx : stored.watched) {
        const auto entry = memory.tracked.find(*tx.nonce);
        if (entry == memory.tracked.end() || entry->second.tx.id != tx.id) {
            if (may_be_missing(tx)) continue;
            return fmt::format("{} at nonce {} is in the store, and the lane does not know it", tx.id, *tx.nonce);
        }
        ++found;
        const auto sending = stored.sendings.find(tx.id);
        const auto what =
            difference(lane, entry->second, tx, sending == stored.sendings.end() ? nullptr : &sending->second);
        if (!what.empty())
            return fmt::format("{} at nonce {}, {}: {}", tx.id, *tx.nonce, entry->second.tx.position, what);
    }
    const auto unsettled = std::ranges::count_if(
        memory.tracked, [](const auto& entry) { return !is_settled(entry.second.tx) || is_removed(entry.second.tx); });
    if (std::cmp_greater(unsettled, found)) return "a transaction of the lane is not in the store";
    return std::nullopt;
}

}  // namespace fencepost::lane
