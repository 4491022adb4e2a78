// What a lane knows of its submitter. It changes only after the store has said `applied` (turn.hpp), so it is never
// ahead of the database; what is not stored (what is under way) is forgotten with the lane. Settled transactions are
// not here, only the blocks that hold them (mined_blocks.hpp).
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
#include "lane/broadcast/send_gate.hpp"
#include "lane/confirm/mined_blocks.hpp"
#include "lane/loop/agenda.hpp"
#include "lane/loop/messages.hpp"
#include "lane/loop/retry.hpp"
#include "lane/loop/wake_up_check.hpp"
#include "lane/prepare/spending_window.hpp"
#include "lane/recovery/verification.hpp"
#include "ports/store/lane_store.hpp"

namespace fencepost::lane {

/// An intent without a nonce, on its way to one.
struct QueueItem {
    enum class Stage {
        waiting,    // to be prepared, not before `not_before`
        held_back,  // it depends on those before it: to be prepared again once it would come first
        preparing,
        ready,
        signing,
    };
    QueuedIntent queued;
    Stage stage = Stage::waiting;
    std::optional<Ready> ready{};
    Instant accepted_at{};
    /// When its preparation began, and the head then.
    Instant prepared_at{};
    BlockNumber prepared_as_of{};
    Instant not_before{};
    std::uint32_t failures = 0;
};

/// Another attempt at the same nonce that somebody or something asked for.
struct Replacement {
    AttemptKind kind = AttemptKind::bump;
    /// Of a filler: why the nonce is given up.
    Abandonment why = Abandonment::none;
    /// A person asked, and is not told "not now" by a policy.
    bool asked = false;
    /// Endpoints take nothing with a lower tip.
    std::optional<Wei> least_tip{};
    /// Done with the commit that records the attempt.
    std::vector<CommandSequence> commands{};
    /// Of a gap filler that an operator wants: who, and why.
    std::string asked_by{};
};

/// Where the lane's indexes have a transaction, so that they can follow it.
struct Listed {
    bool gap = false;
    bool halts = false;
    bool external = false;
    /// What is set aside for it, and how many variants that was computed from.
    Uint256 reserved{};
    std::size_t variants = 0;
};

/// A transaction with a nonce that has no verdict, or whose verdict a reorg has called in question. What is rare is
/// kept outside, and flags stand together: above a kilobyte its place in memory costs twice as much to get.
struct Tracked {
    Transaction tx;
    Intent intent;
    TxFacts facts{};
    /// A bump or a gap filler that is not on record yet.
    std::optional<Replacement> wanted{};

    // Questions to the outside.
    Retry receipts{};
    Retry reason{};    // why its mined attempt failed
    Retry policy{};    // what to do about it being stuck
    Retry external{};  // who consumed its nonce, and whether that one is final
    Retry look_up{};   // where a connector signs: whether it was sent
    Retry signing{};   // of what is wanted

    /// None of one that was read back from the database.
    std::optional<Instant> accepted_at{};
    std::string error{};  // what endpoints said when they refused it permanently
    /// Why its mined attempt failed; asked for once, before the verdict.
    std::optional<std::string> failure{};
    /// The external transaction that consumed its nonce.
    std::unique_ptr<NonceTaken> taken{};
    std::string diagnosis{};  // what was last said of it

    Activity activity = Activity::idle;
    /// Its bytes are to be sent once the activity is over.
    bool send_queued = false;
    bool was_ever_mined = false;
    bool suspicious = false;      // an endpoint said that its nonce is consumed, and we do not know by what
    bool foreign_stands = false;  // its block is final, and on the chain, although below the view
    /// Settled, removed by a reorg, and its nonce used by an external transaction permanently.
    bool lost = false;
    /// Where a connector signs: an earlier lane may have asked for it, and nothing is on record of that.
    bool send_uncertain = false;
    /// This opening of the lane gave it its nonce.
    bool is_new = false;
    /// That none of its attempts has a receipt was heard in this opening; and whether what is asked now counts.
    bool receipts_read = false;
    bool asks_after_head = false;
    bool was_in_flight = false;  // at the last round of the diagnosis
    /// Another attempt is in the write that is under way: until it is applied the old bytes must not leave.
    bool is_being_recorded = false;
    /// To be sent, and kept back: there is a gap below it, or no room in the window.
    bool withheld = false;
    /// Pools lost it, and it is withheld behind others that they lost: sent again without counting as a try.
    bool lost_by_pools = false;
    /// A pool has shown it since its bytes last left.
    bool seen = false;
    /// Pools that took it do not have it: proven by so many looks in a row.
    bool absent = false;
    std::uint8_t absent_looks = 0;
    /// When its bytes last left.
    Instant sent_at{};

    // Bookkeeping of LaneMemory.
    bool touched = false;
    Instant scheduled = Instant::max();
    Listed listed{};

    void forget_stranger() {
        taken.reset();
        foreign_stands = false;
    }
    [[nodiscard]] bool is_idle() const { return activity == Activity::idle; }
    /// Something of its nonce is under way already.
    [[nodiscard]] bool is_busy() const { return !is_idle() || send_queued; }
    [[nodiscard]] BlockKey block() const { return {tx.receipt->block_number, tx.receipt->block_hash}; }
    /// It waits to be mined, and it is up to us to get it there; also one that was settled before a reorg removed it.
    [[nodiscard]] bool waits_to_be_mined() const { return is_pending(tx) || (is_removed(tx) && !taken && !lost); }
    /// Adds a wish to those there are. A filler is stronger than a bump; the first reason for it stands. In place of a
    /// settled intent only an operator's command may want one (failure 46).
    void want(Replacement replacement);
};

/// The sum of what is set aside.
class Reserve {
public:
    void change(const Uint256& from, const Uint256& to) {
        total_ = total_ - from;
        const auto sum = Uint256::checked_add(total_, to);
        overflown_ = overflown_ || !sum;
        total_ = sum.value_or(Uint256::max());
    }
    /// More than fits 256 bits cannot be paid: nothing more is begun until the lane is opened anew.
    [[nodiscard]] Uint256 total() const { return overflown_ ? Uint256::max() : total_; }

private:
    Uint256 total_{};
    bool overflown_ = false;
};

struct LaneMemory {
    /// Without the transactions, which recover_transactions() adds.
    LaneMemory(const LaneState& state, WindowRules rules, PoolShares& shares);

    /// False only while a submitter is stopped that was stopped at first contact.
    bool has_cursor;
    NonceWindow window;
    PoolWatch pools;
    /// How many may get a nonce now.
    [[nodiscard]] std::uint64_t room() const { return std::max<std::uint64_t>(window.room(), hole ? 1 : 0); }
    /// Below others that are in flight.
    [[nodiscard]] bool is_hole(Nonce nonce) const { return nonce < window.highest_in_flight(); }
    Nonce watch_from;
    StatusChange status;
    std::map<AcceptSequence, QueueItem> queue;
    /// Everything below has left the queue, except what is committed late.
    AcceptSequence low_water{};
    /// What has left the queue since the read that is under way began: it may still be in its answer.
    std::set<AcceptSequence> left_queue;
    /// Those that are being signed.
    std::vector<AcceptSequence> signing_items;

    std::map<Nonce, Tracked> tracked;
    std::unordered_map<TxHash, Nonce> by_hash;
    MinedBlocks blocks;
    /// One past the highest nonce that was finalized while this lane was open.
    Nonce finalized_below{};
    /// Something is not watched any more that was when the lowest nonce to be watched was last written.
    bool watch_may_move = true;

    // Who waits for what (wake_ups.hpp). A nonce that is touched is decided about in the next turn.
    Agenda<Nonce> agenda;
    Agenda<AcceptSequence> queue_agenda;
    /// When a question about a block is due again.
    Instant blocks_due = Instant::max();
    /// Nonces that no endpoint holds, or of which nobody knows: nothing above them is sent.
    std::set<Nonce> gaps;
    std::set<Nonce> waiting_for_gap;
    /// Those that keep others from getting a nonce.
    std::set<Nonce> halting;
    /// Those whose nonce an external transaction has used.
    std::set<Nonce> external;
    Verification verification;
    Reserve reserve;

    std::optional<Wei> balance;
    std::optional<BlockNumber> balance_as_of;  // of the balance above
    std::optional<BlockNumber> balance_asked;  // the head when it was last asked for; none when that failed
    Retry balance_read{};
    /// To be read although nobody waits for a nonce.
    bool balance_wanted = true;
    bool balance_was_low = false;  // when it was last read
    bool low_balance_told = false;
    /// Kept where the policy limits sums.
    SpendingWindow spent;
    Retry reconcile{};
    /// Until when a chain that has fewer transactions than were final is taken for one that lags.
    std::optional<Instant> doubted_until;
    bool unprotecting = false;
    /// Of a shared key.
    Retry hole_look{};
    /// Seen at the last look. Whoever fills it is let in also where the window is full: those in it wait for that.
    std::optional<Nonce> hole;
    std::uint64_t holes_filled = 0;
    Retry diagnosis{};
    Retry signing{};

    /// Through it the adapter asks whether bytes may still leave.
    SendGate gate{*this};

    /// Commands that this lane has done: a read that began earlier may still bring them.
    std::set<CommandSequence> obeyed;
    /// What was queued again by this lane: a command that was read earlier does not know.
    std::set<TxId> requeued;

    /// Something is not finalized.
    [[nodiscard]] bool is_watching() const { return !tracked.empty() || !blocks.settled.empty(); }
    [[nodiscard]] Tracked* find(Nonce nonce);
    [[nodiscard]] Tracked* find(TxId id);
    [[nodiscard]] QueueItem* find_queued(AcceptSequence sequence, TxId id);
    [[nodiscard]] QueueItem* find_queued(TxId id);
    void merge_queue(std::vector<QueuedIntent> items, Instant now, UnixTime node_time);
    /// It has a nonce, or will never get one.
    QueueItem leave_queue(AcceptSequence sequence);
    Tracked& start_tracking(Transaction tx, Intent intent);
    void stop_tracking(Nonce nonce);

    /// It is to be decided about in the next turn. The one with this nonce or hash, if there is one.
    void touch(Tracked& tracked, WakeUp why = WakeUp::named);
    Tracked* touch(Nonce nonce, WakeUp why = WakeUp::named);
    Tracked* touch(const TxHash& hash);
    [[nodiscard]] bool has_touched() const { return !touched_.empty(); }
    /// Those that will be decided about in the next turn; each is still tracked.
    [[nodiscard]] std::vector<Nonce> touched() const;
    /// Those that were touched since the last time, from the lowest nonce up.
    [[nodiscard]] std::vector<Nonce> take_touched();
    /// It is looked at then at the latest.
    void schedule(Tracked& tracked, Instant at);
    [[nodiscard]] Instant next_due() const { return std::min({agenda.next(), queue_agenda.next(), blocks_due}); }
    /// Touches whose time has come.
    void touch_due(Instant now);

    [[nodiscard]] bool is_behind_gap(Nonce nonce) const { return !gaps.empty() && *gaps.begin() < nonce; }
    [[nodiscard]] bool may_send_by_window(Nonce nonce) const { return !pools.send_below || nonce < *pools.send_below; }
    /// No gap is known below it, and there is room for it in pools.
    [[nodiscard]] bool may_send(Nonce nonce) const { return !is_behind_gap(nonce) && may_send_by_window(nonce); }
    void open_gap(Nonce nonce) { gaps.insert(nonce); }
    /// Touches those that waited for it.
    void close_gap(Nonce nonce);

    /// For tests: this kind of wake-up does not happen.
    void leave_out(const std::optional<WakeUp>& kind) { left_out_ = kind; }
    [[nodiscard]] bool leaves_out(WakeUp kind) const { return left_out_ == kind; }

private:
    std::vector<Nonce> touched_;
    std::optional<WakeUp> left_out_;
};

}  // namespace fencepost::lane
