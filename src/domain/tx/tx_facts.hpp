// The facts behind a decision about one transaction. Each fact is stored, or derived from stored data in one place: the
// functions below read sub-states so that no other code has to.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "domain/tx/stuck_decision.hpp"
#include "domain/tx/transaction.hpp"

namespace fencepost {

/// Everything above the line is stored with the transaction (tx_progress.hpp), so a lane that is closed and opened
/// again makes the same decision. Clocks are converted when the lane opens; while it is open, only monotonic time is
/// used.
struct TxFacts {
    std::optional<Instant> first_sent{};
    Instant resend_due{};
    Instant bump_due{};
    Instant stuck_due{};
    /// With a signing connector: if the nonce is still free at this time, the claim is abandoned.
    std::optional<Instant> lookup_deadline{};

    /// A send is recorded and its result is not: the next owner repeats it.
    bool send_claimed = false;
    /// An endpoint has accepted its bytes at least once.
    bool was_held = false;
    /// According to the last pool query, no endpoint holds it.
    bool missing = false;
    /// The next bump would exceed the cap, and an alert was raised.
    bool fee_capped = false;
    std::uint32_t resends = 0;           // consecutive: each interval is twice the last
    std::uint32_t unaccepted_sends = 0;  // consecutive sends that no endpoint accepted
    std::uint32_t tries = 0;             // sends with an answer, since it was last STUCK
    std::uint32_t refusal_rounds = 0;    // consecutive rounds in which endpoints agreed that it can never be mined

    /// The decision of the stuck policy.
    std::optional<StuckDecision> stuck_decision{};
    /// No automatic action until an operator decides.
    bool with_operator = false;

    // ---

    /// An endpoint may hold its bytes. False only when this lane alone has sent them and all endpoints refused; true
    /// for anything another lane may have sent.
    bool may_be_held = true;

    friend bool operator==(const TxFacts&, const TxFacts&) = default;
};

/// A receipt resets the counters and decisions from before.
inline void clear_failures(TxFacts& facts) {
    facts.resends = 0;
    facts.unaccepted_sends = 0;
    facts.tries = 0;
    facts.refusal_rounds = 0;
    facts.stuck_decision.reset();
    facts.with_operator = false;
    facts.missing = false;
    facts.was_held = true;
}

/// Its receipt is recorded.
[[nodiscard]] inline bool is_mined(const Transaction& tx) { return tx.receipt.has_value(); }
[[nodiscard]] inline bool is_settled(const Transaction& tx) { return is_final(tx.position.state); }
/// Settled, and a reorg removed its block.
[[nodiscard]] inline bool is_removed(const Transaction& tx) { return is_removed(tx.position); }
/// A reorg removed its block, settled or not.
[[nodiscard]] inline bool is_forked(const Transaction& tx) { return tx.position.sub == SubState::forked; }
/// Recorded: an external transaction has consumed its nonce.
[[nodiscard]] inline bool has_lost_nonce(const Transaction& tx) {
    return tx.position == Position{State::stuck, SubState::nonce_taken};
}
/// With a signing connector: it is unknown whether it was sent.
[[nodiscard]] inline bool is_in_doubt(const Transaction& tx) {
    return tx.position.state == State::unknown_submit_result;
}
/// Endpoints agree that the account cannot pay for it.
[[nodiscard]] inline bool is_underfunded(const Transaction& tx) { return tx.position.sub == SubState::underfunded; }
/// A gap filler must consume its nonce.
[[nodiscard]] inline bool is_abandoned(const Transaction& tx) { return tx.abandonment != Abandonment::none; }
/// Its nonce is unconsumed; includes a settled transaction whose block a reorg removed.
[[nodiscard]] inline bool is_in_flight(const Transaction& tx) {
    return !is_mined(tx) && (!is_settled(tx) || is_removed(tx));
}
/// Not mined, and Fencepost is responsible for getting it mined.
[[nodiscard]] inline bool is_pending(const Transaction& tx) {
    return !is_mined(tx) && !is_settled(tx) && !has_lost_nonce(tx);
}

}  // namespace fencepost
