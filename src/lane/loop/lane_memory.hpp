// The in-memory state of a lane. It changes only after the store has answered `applied` (turn.hpp), so it is never
// ahead of the database; transient state (what is in progress) is lost with the lane. Of settled transactions it keeps
// only their blocks (mined_blocks.hpp).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/time.hpp"
#include "domain/intent.hpp"
#include "domain/tx/tx_decision.hpp"
#include "domain/tx/tx_facts.hpp"
#include "domain/window/nonce_window.hpp"
#include "lane/broadcast/pool_watch.hpp"
#include "lane/broadcast/send_guard.hpp"
#include "lane/confirm/mined_blocks.hpp"
#include "lane/loop/agenda.hpp"
#include "lane/loop/messages.hpp"
#include "lane/loop/retry.hpp"
#include "lane/loop/wake_up_check.hpp"
#include "lane/prepare/spending_window.hpp"
#include "lane/recovery/verification.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// A queued intent without a nonce.
struct QueueItem {
    enum class Stage {
        waiting,    // to be prepared at `not_before` or later
        held_back,  // it depends on earlier transactions: prepared again when it comes first
        preparing,
        ready,
        signing,
    };
    QueuedIntent queued;
    Stage stage = Stage::waiting;
    std::optional<Ready> ready{};
    Instant accepted_at{};
    /// When its preparation began, and the head at that time.
    Instant prepared_at{};
    BlockNumber prepared_as_of{};
    Instant not_before{};
    std::uint32_t failures = 0;
};

/// A requested replacement attempt at the same nonce.
struct Replacement {
    AttemptKind kind = AttemptKind::bump;
    /// For a gap filler: why the transaction is abandoned.
    Abandonment why = Abandonment::none;
    /// Requested by an operator: not subject to the bump policy.
    bool asked = false;
    /// Endpoints require at least this tip.
    std::optional<Wei> min_tip{};
    /// Commands to complete with the commit that records the attempt.
    std::vector<CommandSequence> commands{};
    /// For a gap filler by an operator: requester and reason.
    std::string asked_by{};
};

/// The index entries of a transaction, so that they can be updated.
struct Listed {
    bool gap = false;
    bool halts = false;
    bool external = false;
    /// Its reserved funds, and the number of variants they were computed from.
    Uint256 reserved{};
    std::size_t variants = 0;
};

/// A transaction with a nonce and without a verdict, or with a verdict that a reorg has invalidated. Rare data is
/// allocated separately, and flags are adjacent: above one kilobyte its memory costs twice as much.
struct Tracked {
    Transaction tx;
    Intent intent;
    TxFacts facts{};
    /// A requested bump or gap filler that is not recorded yet.
    std::optional<Replacement> wanted{};

    // Queries and their retry state.
    Retry receipts{};
    Retry reason{};    // why its mined attempt failed
    Retry policy{};    // the stuck policy's decision
    Retry external{};  // which transaction consumed its nonce, and whether it is final
    Retry look_up{};   // with a signing connector: whether it was sent
    Retry signing{};   // of the requested replacement

    /// None if it was read back from the database.
    std::optional<Instant> accepted_at{};
    std::string error{};  // the endpoints' message of a permanent refusal
    /// Why its mined attempt failed; queried once, before the verdict.
    std::optional<std::string> failure{};
    /// The external transaction that consumed its nonce.
    std::unique_ptr<NonceTaken> taken{};
    std::string diagnosis{};  // the last diagnosis

    Activity activity = Activity::idle;
    /// A send is queued behind the current activity.
    bool send_queued = false;
    bool was_ever_mined = false;
    bool nonce_maybe_consumed = false;  // an endpoint reported its nonce as consumed, by an unknown transaction
    bool external_tx_is_final =
        false;  // the external transaction's block is final and on the chain, although below the view
    /// Settled, removed by a reorg, and its nonce permanently consumed by an external transaction.
    bool lost = false;
    /// With a signing connector: an earlier lane may have sent the request without recording the result.
    bool send_uncertain = false;
    /// Allocated by this opening of the lane.
    bool is_new = false;
    /// Whether this opening knows that none of its attempts has a receipt; and whether the current query counts for
    /// that.
    bool receipts_read = false;
    bool asks_after_head = false;
    bool was_in_flight = false;  // in the last round of the diagnosis
    /// A replacement is in the write in progress: until it is applied the old bytes must not be sent.
    bool is_being_recorded = false;
    /// Must be sent, and is withheld: there is a gap below it, or no room in the window.
    bool withheld = false;
    /// Pools lost it, and it waits for lower lost ones: resent without counting as an attempt.
    bool lost_by_pools = false;
    /// A pool has shown it since the last send.
    bool seen = false;
    /// Pools that accepted it do not have it: proven by consecutive queries.
    bool absent = false;
    std::uint8_t absent_queries = 0;
    /// Time of the last send.
    Instant sent_at{};

    // Bookkeeping of LaneMemory.
    bool touched = false;
    Instant scheduled = Instant::max();
    Listed listed{};

    void clear_external_tx() {
        taken.reset();
        external_tx_is_final = false;
    }
    [[nodiscard]] bool is_idle() const { return activity == Activity::idle; }
    /// An activity at its nonce is running or queued.
    [[nodiscard]] bool is_busy() const { return !is_idle() || send_queued; }
    [[nodiscard]] BlockKey block() const { return {tx.receipt->block_number, tx.receipt->block_hash}; }
    /// Not mined, and Fencepost must get it mined; includes a settled one that a reorg removed.
    [[nodiscard]] bool waits_to_be_mined() const { return is_pending(tx) || (is_removed(tx) && !taken && !lost); }
    /// Merges a replacement request. A gap filler takes precedence over a bump; its first reason stays. Only an
    /// operator's command may replace a settled intent (failure 46).
    void request_replacement(Replacement replacement);
};

/// The sum of reserved funds.
class Reserve {
public:
    void change(const Uint256& from, const Uint256& to) {
        total_ = total_ - from;
        const auto sum = Uint256::checked_add(total_, to);
        overflown_ = overflown_ || !sum;
        total_ = sum.value_or(Uint256::max());
    }
    /// A sum above 256 bits cannot be paid: no further allocation until the lane is reopened.
    [[nodiscard]] Uint256 total() const { return overflown_ ? Uint256::max() : total_; }

private:
    Uint256 total_{};
    bool overflown_ = false;
};

struct LaneMemory {
    /// Without the transactions, which recover_transactions() adds.
    LaneMemory(const LaneState& state, WindowRules rules, PoolShares& shares);

    /// False only while a submitter is stopped that was stopped at the nonce bootstrap.
    bool has_cursor;
    NonceWindow window;
    PoolWatch pools;
    /// How many nonces may be allocated now.
    [[nodiscard]] std::uint64_t room() const { return std::max<std::uint64_t>(window.room(), gap_to_fill ? 1 : 0); }
    /// Below a nonce in flight.
    [[nodiscard]] bool is_gap_at(Nonce nonce) const { return nonce < window.highest_in_flight(); }
    Nonce watch_from;
    StatusChange status;
    std::map<AcceptSequence, QueueItem> queue;
    /// Everything below has left the queue, except late commits.
    AcceptSequence low_water{};
    /// What has left the queue since the current read began: its result may still contain it.
    std::set<AcceptSequence> left_queue;
    /// The items that are being signed.
    std::vector<AcceptSequence> signing_items;

    std::map<Nonce, Tracked> tracked;
    std::unordered_map<TxHash, Nonce> by_hash;
    MinedBlocks blocks;
    /// One past the highest nonce that was finalized while this lane was open.
    Nonce finalized_below{};
    /// Something has left the watched range since the lowest watched nonce was last written.
    bool watch_may_move = true;

    // Wake-up indexes (wake_ups.hpp). A touched nonce is decided in the next turn.
    Agenda<Nonce> agenda;
    Agenda<AcceptSequence> queue_agenda;
    /// When a query about a block is due again.
    Instant blocks_due = Instant::max();
    /// Nonces that no endpoint is known to hold: nothing above them is sent.
    std::set<Nonce> gaps;
    std::set<Nonce> waiting_for_gap;
    /// Transactions that block further allocation.
    std::set<Nonce> halting;
    /// Nonces that an external transaction has consumed.
    std::set<Nonce> external;
    Verification verification;
    Reserve reserve;

    std::optional<Wei> balance;
    std::optional<BlockNumber> balance_as_of;  // of the balance above
    std::optional<BlockNumber> balance_asked;  // the head at the last query; none when that failed
    Retry balance_read{};
    /// To be read even if no transaction waits for a nonce.
    bool balance_wanted = true;
    bool balance_was_low = false;  // at the last read
    bool low_balance_alerted = false;
    /// Maintained if the policy limits sums.
    SpendingWindow spent;
    Retry reconcile{};
    /// Until when a chain with fewer transactions than were final is treated as lagging.
    std::optional<Instant> low_count_until;
    bool unprotecting = false;
    /// For shared keys.
    Retry gap_check{};
    /// The gap seen at the last check. A transaction that fills it may exceed the window, because those in the window
    /// wait for it.
    std::optional<Nonce> gap_to_fill;
    std::uint64_t gaps_filled = 0;
    Retry diagnosis{};
    Retry signing{};

    /// The adapter checks here whether bytes may still be sent.
    SendGuard send_guard{*this};

    /// Commands that this lane has executed: a read that began earlier may still return them.
    std::set<CommandSequence> executed;
    /// Requeued by this lane: a command that was read earlier does not know it.
    std::set<TxId> requeued;

    /// Whether something is not finalized yet.
    [[nodiscard]] bool is_watching() const { return !tracked.empty() || !blocks.settled.empty(); }
    [[nodiscard]] Tracked* find(Nonce nonce);
    [[nodiscard]] Tracked* find(TxId id);
    [[nodiscard]] QueueItem* find_queued(AcceptSequence sequence, TxId id);
    [[nodiscard]] QueueItem* find_queued(TxId id);
    void merge_queue(std::vector<QueuedIntent> items, Instant now, UnixTime node_time);
    /// It was allocated, or never will be.
    QueueItem leave_queue(AcceptSequence sequence);
    Tracked& start_tracking(Transaction tx, Intent intent);
    void stop_tracking(Nonce nonce);

    /// Schedules the transaction with this nonce or hash, if tracked, for a decision in the next turn.
    void touch(Tracked& tracked, WakeUp why = WakeUp::named);
    Tracked* touch(Nonce nonce, WakeUp why = WakeUp::named);
    Tracked* touch(const TxHash& hash);
    [[nodiscard]] bool has_touched() const { return !touched_.empty(); }
    /// The nonces for the next turn; all are still tracked.
    [[nodiscard]] std::vector<Nonce> touched() const;
    /// Takes the touched nonces, in ascending order.
    [[nodiscard]] std::vector<Nonce> take_touched();
    /// Schedules a decision at this time at the latest.
    void schedule(Tracked& tracked, Instant at);
    [[nodiscard]] Instant next_due() const { return std::min({agenda.next(), queue_agenda.next(), blocks_due}); }
    /// Touches what is due.
    void touch_due(Instant now);

    [[nodiscard]] bool is_behind_gap(Nonce nonce) const { return !gaps.empty() && *gaps.begin() < nonce; }
    [[nodiscard]] bool may_send_by_window(Nonce nonce) const { return !pools.send_below || nonce < *pools.send_below; }
    /// No known gap below it, and room for it in pools.
    [[nodiscard]] bool may_send(Nonce nonce) const { return !is_behind_gap(nonce) && may_send_by_window(nonce); }
    void open_gap(Nonce nonce) { gaps.insert(nonce); }
    /// Touches the transactions that waited for it.
    void close_gap(Nonce nonce);

    /// For tests: disables this kind of wake-up.
    void disable(const std::optional<WakeUp>& kind) { disabled_ = kind; }
    [[nodiscard]] bool is_disabled(WakeUp kind) const { return disabled_ == kind; }

private:
    std::vector<Nonce> touched_;
    std::optional<WakeUp> disabled_;
};

}  // namespace fencepost::lane
