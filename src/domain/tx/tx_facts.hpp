// What a decision about one transaction depends on, beside the transaction itself. Each part is stored, or derived from
// what is stored, in one place: the functions below read sub-states so that nobody else has to.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "domain/tx/stuck_decision.hpp"
#include "domain/tx/transaction.hpp"

namespace fencepost {

/// All of it is stored with the transaction (tx_progress.hpp), but for what stands below the line: a lane that is
/// closed and opened again decides the same. Clocks are converted when the lane opens; while it is open only monotonic
/// time counts.
struct TxFacts {
    std::optional<Instant> first_sent{};
    Instant resend_due{};
    Instant bump_due{};
    Instant stuck_due{};
    /// Where a connector signs: a nonce that is still free then is given up.
    std::optional<Instant> look_up_until{};

    /// A send is on record, and its answer is not: the next owner sends it.
    bool send_claimed = false;
    /// An endpoint took its bytes once.
    bool was_held = false;
    /// By the endpoints' last word none of them holds it.
    bool missing = false;
    /// The next bump would exceed the cap, and an alert was raised.
    bool fee_capped = false;
    std::uint32_t resends = 0;         // in a row: each pause is twice the last
    std::uint32_t sends_unheard = 0;   // in a row, without an endpoint that took it
    std::uint32_t tries = 0;           // sends with an answer, since it was last called stuck
    std::uint32_t refusal_rounds = 0;  // in a row in which endpoints agreed that it can never be mined

    /// What the policy said about it being stuck.
    std::optional<StuckDecision> stuck_decision{};
    /// It rests until an operator decides.
    bool with_operator = false;

    // ---

    /// An endpoint may hold its bytes: not when only this lane sent them, and all endpoints refused. Assumed of what
    /// another lane may have sent.
    bool may_be_held = true;

    friend bool operator==(const TxFacts&, const TxFacts&) = default;
};

/// A receipt ends what was counted and decided about it before.
inline void clear_failures(TxFacts& facts) {
    facts.resends = 0;
    facts.sends_unheard = 0;
    facts.tries = 0;
    facts.refusal_rounds = 0;
    facts.stuck_decision.reset();
    facts.with_operator = false;
    facts.missing = false;
    facts.was_held = true;
}

/// Its receipt is on record.
[[nodiscard]] inline bool is_mined(const Transaction& tx) { return tx.receipt.has_value(); }
[[nodiscard]] inline bool is_settled(const Transaction& tx) { return is_final(tx.position.state); }
/// Settled, and a reorg removed its block.
[[nodiscard]] inline bool is_removed(const Transaction& tx) { return is_removed(tx.position); }
/// A reorg removed its block, settled or not.
[[nodiscard]] inline bool is_forked(const Transaction& tx) { return tx.position.sub == SubState::forked; }
/// It is on record that an external transaction has used its nonce.
[[nodiscard]] inline bool has_lost_nonce(const Transaction& tx) {
    return tx.position == Position{State::stuck, SubState::nonce_taken};
}
/// Where a connector signs: whether it was sent is not known.
[[nodiscard]] inline bool is_in_doubt(const Transaction& tx) {
    return tx.position.state == State::unknown_submit_result;
}
/// Endpoints agree that the account cannot pay for it.
[[nodiscard]] inline bool is_underfunded(const Transaction& tx) { return tx.position.sub == SubState::underfunded; }
/// A gap filler is to consume its nonce.
[[nodiscard]] inline bool is_abandoned(const Transaction& tx) { return tx.abandonment != Abandonment::none; }
/// Its nonce waits to be consumed; also that of a settled one whose block a reorg removed.
[[nodiscard]] inline bool is_in_flight(const Transaction& tx) {
    return !is_mined(tx) && (!is_settled(tx) || is_removed(tx));
}
/// Waits to be mined, and it is up to us to get it there.
[[nodiscard]] inline bool is_pending(const Transaction& tx) {
    return !is_mined(tx) && !is_settled(tx) && !has_lost_nonce(tx);
}

}  // namespace fencepost
