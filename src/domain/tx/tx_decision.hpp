// Decides the next action for a transaction that is not mined. Pure: the same facts give the same decision, on every
// node and however often it is called.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/tx/tx_facts.hpp"

namespace fencepost {

struct ResubmitRules {
    /// Whether bytes that an endpoint accepted are resent automatically. Bytes that no endpoint is known to hold are
    /// always resent.
    bool enabled = true;
    /// Sends without a receipt after which the transaction is STUCK.
    std::uint32_t max_attempts = 10;
};

/// Replacement with higher fees at the same nonce.
struct BumpRules {
    bool enabled = false;
    Duration min_interval = std::chrono::seconds(60);
    std::uint32_t max_attempts = 10;
    BumpFactor multiplier{};
};

/// The operator's settings that influence a decision.
struct TxRules {
    ResubmitRules resubmit{};
    BumpRules bump{};
    Duration transaction_timeout = std::chrono::minutes(30);
    /// Whether a timed-out transaction is abandoned and a gap filler consumes its nonce. Otherwise it is only marked
    /// TIMEOUT.
    bool fail_on_timeout = false;
    /// Consecutive refusals by the endpoints after which the transaction is abandoned.
    std::uint32_t refusal_rounds = 3;
};

/// The current activity at a nonce. Sending and signing a replacement exclude each other: no bytes of the intent are
/// sent once a gap filler is recorded (failure 33).
enum class Activity { idle, sending, signing };

/// What the lane knows beyond the transaction.
struct TxContext {
    Activity activity = Activity::idle;
    /// A send is queued behind the current activity.
    bool send_queued = false;
    /// A bump or a gap filler was requested and is not recorded yet.
    bool replacement_wanted = false;
    /// No endpoint holds a lower nonce, so this one cannot be mined at any price (failure 10), or the send window has
    /// no room for it.
    bool behind_gap = false;
    /// A newly opened lane does not know yet whether the connector was called.
    bool send_uncertain = false;
    /// An external transaction has used its nonce.
    bool nonce_used_externally = false;
    /// This opening has verified that it is not mined. It may have been mined while no lane was open, so nothing
    /// irreversible is decided before that.
    bool verified = true;
};

struct TxDecision {
    enum class Mark { none, fee_capped, timed_out, stuck };
    enum class Replacement {
        none,
        bump,
        bump_as_decided,  // by the stuck policy
        fill_as_decided,
        fill_timed_out,
        fill_refused,
    };

    /// The transition to record, if any.
    Mark mark = Mark::none;
    Replacement replacement = Replacement::none;
    /// Claim the next send in the database, then send.
    bool resend = false;
    /// Ask the stuck policy for a decision.
    bool ask_policy = false;
    /// A send or bump is due, but a gap below blocks it.
    bool waits_for_gap = false;
    /// Something irreversible is due: read its receipts and the account's count first.
    bool verify = false;
    /// When to decide again if nothing else happens; Instant::max() for never.
    Instant wake_at = Instant::max();

    /// Whether the decision must be recorded.
    [[nodiscard]] bool records() const { return mark != Mark::none || replacement != Replacement::none || resend; }

    friend bool operator==(const TxDecision&, const TxDecision&) = default;
};

[[nodiscard]] TxDecision decide(const Transaction& tx, const TxFacts& facts, const TxContext& around,
                                const TxRules& rules, Instant now);

}  // namespace fencepost
