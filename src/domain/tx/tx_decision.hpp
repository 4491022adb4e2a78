// The one place where it is decided what becomes of a transaction that is not mined as time goes by. Pure: the same
// facts give the same decision, on whichever node and however often they are asked.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/tx/tx_facts.hpp"

namespace fencepost {

struct ResubmitRules {
    /// Whether bytes that an endpoint has taken are sent again by themselves. What no endpoint is known to have is sent
    /// again in any case.
    bool enabled = true;
    /// After so many sendings without a receipt the transaction is stuck.
    std::uint32_t max_attempts = 10;
};

/// Higher fees under the same nonce.
struct BumpRules {
    bool enabled = false;
    Duration min_interval = std::chrono::seconds(60);
    std::uint32_t max_attempts = 10;
    BumpFactor multiplier{};
};

/// The operator's settings, as far as a decision depends on them.
struct TxRules {
    ResubmitRules resubmit{};
    BumpRules bump{};
    Duration transaction_timeout = std::chrono::minutes(30);
    /// What has timed out is given up: its nonce is consumed by a gap filler. Otherwise it is only called so.
    bool fail_on_timeout = false;
    /// What endpoints have refused so many times in a row is given up.
    std::uint32_t refusal_rounds = 3;
};

/// What happens at a nonce. While a replacement is being signed nothing of the nonce is sent, and the other way round:
/// no bytes of the intent leave once it is on record that only a gap filler may (failure 33).
enum class Activity { idle, sending, signing };

/// What its lane knows beyond the transaction.
struct TxSurroundings {
    Activity activity = Activity::idle;
    /// Its bytes are to be sent once the activity is over.
    bool send_queued = false;
    /// A bump or a gap filler was asked for and is not on record yet.
    bool replacement_wanted = false;
    /// No endpoint holds a lower nonce: nothing above can be mined, and no price changes that (failure 10). Or there is
    /// no room for it in pools.
    bool behind_gap = false;
    /// A lane that was just opened does not know yet whether the connector was asked for it.
    bool send_uncertain = false;
    /// An external transaction has used its nonce.
    bool nonce_used_externally = false;
    /// This opening of the lane knows that it is not mined. What was sent while no lane was open may be mined long
    /// since: until that was looked up nothing irreversible is decided.
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
    /// Claim the next send, in the database first, and then send.
    bool resend = false;
    /// Ask the policy what to do about it being stuck.
    bool ask_policy = false;
    /// It would be sent or bumped, but for the gap below it.
    bool waits_for_gap = false;
    /// Something irreversible is due: its receipts and the account's count are to be read first.
    bool verify = false;
    /// When it is to be decided again if nothing else happens; the end of time for "never".
    Instant wake_at = Instant::max();

    /// Something is to be put on record now.
    [[nodiscard]] bool records() const { return mark != Mark::none || replacement != Replacement::none || resend; }

    friend bool operator==(const TxDecision&, const TxDecision&) = default;
};

[[nodiscard]] TxDecision decide(const Transaction& tx, const TxFacts& facts, const TxSurroundings& around,
                                const TxRules& rules, Instant now);

}  // namespace fencepost
