// What a lane knows of its submitter. It changes only after the store has said `applied` (turn.hpp), so it is never
// ahead of the database; what is not stored (timers, what is under way) is forgotten with the lane.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/time.hpp"
#include "domain/confirmation_list.hpp"
#include "domain/intent.hpp"
#include "domain/nonce_window.hpp"
#include "domain/transaction.hpp"
#include "lane/messages.hpp"
#include "lane/spending_window.hpp"
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

/// Its nonce waits to be consumed; also that of a settled one whose block a reorg removed.
[[nodiscard]] inline bool is_in_flight(const Transaction& tx) {
    return !tx.receipt && (!is_final(tx.position.state) || tx.position.sub == SubState::forked);
}

/// Another attempt at the same nonce that somebody or something asked for.
struct Replacement {
    AttemptKind kind = AttemptKind::bump;
    /// Of a filler: why the nonce is given up.
    Abandonment why = Abandonment::none;
    /// A person asked, and is not told "not now" by a policy.
    bool asked = false;
    /// Done with the commit that records the attempt.
    std::vector<CommandSequence> commands{};
};

/// What a lane does about one that a connector may have sent (grey_zone.hpp).
struct GreyZone {
    bool unsure = false;   // an earlier lane may have asked for it, and nothing is on record of that
    bool looking = false;  // for it, by its nonce
    Instant look_at{};
    Instant give_up_at{};
};

/// A transaction with a nonce, until it is finalized.
struct Tracked {
    Transaction tx;
    Intent intent;
    std::optional<ConfirmationList> confirmations{};  // exists while there is a receipt
    bool sending = false;
    bool put_off = false;        // its bytes are to be sent once what is under way about it is over
    bool may_be_held = true;     // somebody may have its bytes: not when this lane sent them, and all said no
    bool missing = false;        // by the endpoints' last word none of them has it
    std::uint32_t resends = 0;   // in a row: each pause is twice the last
    std::uint32_t tries = 0;     // sendings with an answer, since it was last called stuck
    std::uint32_t refusals = 0;  // rounds in a row in which endpoints agreed that it can never be mined
    /// None of a settled one that was read from the database.
    std::optional<Instant> accepted_at{};
    bool was_ever_mined = false;
    std::optional<Instant> first_sent{};
    std::string error{};  // what endpoints said when they refused it for good
    /// While a replacement is being signed nothing of this nonce is sent, and the other way round: no bytes of the
    /// intent leave once it is on record that only a filler may (failure 33).
    std::optional<Replacement> wanted{};
    bool replacing = false;
    std::uint32_t replace_failures = 0;
    Instant replace_at{};
    Instant bump_at{};
    bool capped = false;  // the next bump would exceed the cap, and somebody was told
    Instant stuck_at{};
    bool deciding = false;  // the policy was asked what to do with it
    bool decided = false;
    bool handed_over = false;  // to a person: it rests
    bool asking = false;       // for receipts
    bool suspicious = false;   // an endpoint said that its nonce is consumed, and we do not know by what
    std::uint32_t sends_unheard = 0;
    std::uint32_t ask_failures = 0;
    Instant resend_at{};
    Instant ask_at{};
    /// Why its mined attempt failed; asked for once, before the verdict.
    std::optional<std::string> failure{};
    bool explaining = false;
    std::uint32_t explain_failures = 0;
    Instant explain_at{};
    /// Who consumed its nonce, where that is not one of ours.
    std::optional<NonceTaken> taken{};
    Instant name_at{};
    bool reading_foreign = false;
    bool foreign_stands = false;  // its block is final, and on the chain, although below the view
    /// Settled, thrown out by a reorg, and its nonce used by somebody else for good.
    bool lost = false;
    /// Confirmations of a block that lies below the watch's window.
    std::optional<std::vector<BlockRef>> deep_confirmations{};
    bool reading_deep = false;
    Instant deep_not_before{};

    GreyZone grey{};

    bool was_in_flight = false;  // at the last round of the diagnosis
    std::string diagnosis{};     // what was last said of it

    void forget_stranger() {
        taken.reset();
        foreign_stands = false;
    }
    [[nodiscard]] bool is_mined() const { return tx.receipt.has_value(); }
    [[nodiscard]] bool is_settled() const { return is_final(tx.position.state); }
    [[nodiscard]] bool is_in_flight() const { return lane::is_in_flight(tx); }
    /// Waits to be mined, and it is up to us to get it there.
    [[nodiscard]] bool is_pending() const {
        return !is_mined() && !is_settled() && tx.position.sub != SubState::nonce_taken;
    }
    /// A filler is to consume its nonce.
    [[nodiscard]] bool is_abandoned() const { return tx.abandonment != Abandonment::none; }
    /// Adds a wish to those there are. A filler is stronger than a bump; the first reason for it stands.
    void want(Replacement replacement);
};

struct LaneMemory {
    LaneMemory(const LaneState& state, std::uint32_t window_size);

    /// False only while a submitter is stopped that was stopped at first contact.
    bool has_cursor;
    NonceWindow window;
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
    std::map<Nonce, Tracked> tracked;
    std::unordered_map<TxHash, Nonce> by_hash;

    std::optional<Wei> balance;
    std::optional<BlockNumber> balance_as_of;  // of the balance above
    std::optional<BlockNumber> balance_asked;  // the head when it was last asked for; none when that failed
    bool reading_balance = false;
    Instant balance_not_before{};
    std::uint32_t balance_failures = 0;
    /// To be read although nobody waits for a nonce.
    bool balance_wanted = true;
    bool balance_was_low = false;  // when it was last read
    bool low_balance_told = false;
    /// Kept where the policy limits sums.
    SpendingWindow spent;
    bool reconciling = false;
    Instant reconcile_at{};
    std::uint32_t reconcile_failures = 0;
    /// Until when a chain that has fewer transactions than were final is taken for one that lags.
    std::optional<Instant> doubted_until;
    bool unprotecting = false;
    /// Of a shared key.
    bool looking_for_hole = false;
    Instant hole_look_at{};
    /// Seen at the last look. Whoever fills it is let in also where the window is full: those in it wait for that.
    std::optional<Nonce> hole;
    std::uint64_t holes_filled = 0;
    bool diagnosing = false;
    Instant diagnose_at{};
    bool signing = false;
    Instant sign_not_before{};
    std::uint32_t sign_failures = 0;

    /// Commands that this lane has done: a read that began earlier may still bring them.
    std::set<CommandSequence> obeyed;
    /// What was queued again by this lane: a command that was read earlier does not know.
    std::set<TxId> requeued;

    [[nodiscard]] Tracked* find(const TxHash& hash);
    [[nodiscard]] Tracked* find_tracked(TxId id);
    [[nodiscard]] QueueItem* find_queued(TxId id);
    void merge_queue(const std::vector<QueuedIntent>& items, Instant now);
    /// It has a nonce, or will never get one.
    QueueItem leave_queue(AcceptSequence sequence);
    void start_tracking(Transaction tx, Intent intent);
    void stop_tracking(Nonce nonce);
};

}  // namespace fencepost::lane
