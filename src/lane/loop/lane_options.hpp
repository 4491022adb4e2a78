// The configuration of a submitter's lane.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/fees.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_policy.hpp"
#include "domain/tx/tx_decision.hpp"
#include "domain/window/send_window.hpp"
#include "lane/loop/wake_up_check.hpp"
#include "ports/alert_thresholds.hpp"
#include "relaxed/relaxed_options.hpp"

namespace fencepost::lane {

/// When a receipt is final.
enum class FinalityRule {
    depth,      // `confirmations_required` blocks above its own
    safe,       // its block is `safe`
    finalized,  // its block is `finalized`
};

/// What happens to the queue after a transaction was rejected or failed.
enum class OnFailure {
    go_on,
    stop,  // the submitter is paused until an operator resumes it
};

/// Whether other systems use the key.
enum class NonceMode {
    strict,   // exclusive: nonces without gaps; any external use stops the submitter
    relaxed,  // shared with other systems: the next nonce is the maximum of what the chain, this node and the database
              // know
};

using fencepost::BumpRules;
using fencepost::ResubmitRules;

/// Rules for sends of a signing connector with an unknown result.
struct GreyZoneRules {
    /// Look it up automatically. Otherwise an operator decides.
    bool enabled = true;
    Duration interval = std::chrono::seconds(60);
    /// The transaction is abandoned if its nonce is still free after this time.
    Duration timeout = std::chrono::minutes(5);
};

struct LaneOptions {
    /// The send window: adaptive, or fixed. 1 means single in-flight.
    WindowRules window{};

    /// Limits delegated accounts (EIP-7702) to one transaction in flight, as geth's pools do. Disable for chains whose
    /// nodes have no such limit.
    bool delegated_one_at_a_time = true;

    FinalityRule finality = FinalityRule::depth;
    std::uint64_t confirmations_required = 20;

    /// The first nonce of a new submitter. None: the chain's count. Rejected if the chain's count differs. Not for
    /// shared keys.
    std::optional<Nonce> start_from{};
    /// How long an opening lane waits for endpoints that do not answer or seem to lag, for critical decisions: at the
    /// nonce bootstrap, and when finalized transactions seem to be missing. Then it decides with the available answers.
    Duration bootstrap_timeout = std::chrono::seconds(30);
    /// At the nonce bootstrap: continue although external transactions are in flight.
    bool adopt_pending = false;

    OnFailure on_failure = OnFailure::go_on;

    /// Interval after which the same bytes are resent; then 2, 4 and 8 times as long.
    Duration resubmit_interval = std::chrono::seconds(60);
    ResubmitRules resubmit{};
    BumpRules bump{};
    /// Time without a receipt after which a transaction is STUCK.
    Duration stuck_after = std::chrono::hours(1);
    /// Counted from the first send; for a transaction without a nonce, from its acceptance.
    Duration transaction_timeout = std::chrono::minutes(30);
    /// Abandons a timed-out transaction: a gap filler consumes its nonce. Otherwise it is only marked TIMEOUT.
    bool fail_on_timeout = false;
    /// A transaction is abandoned after permanent refusals only if this many endpoints (or all) agree, none
    /// contradicts, in this many consecutive rounds.
    std::uint32_t refusal_agreement = 2;
    std::uint32_t refusal_rounds = 3;
    /// Time without a receipt from a block after which it is polled.
    Duration stale_receipt_timeout = std::chrono::seconds(60);
    /// Poll receipts of transactions in flight when the lane opens. Otherwise they are polled when stale.
    bool fetch_receipt_upon_entry = false;
    /// Upper limit of the retry back-off (1, 2, 4… seconds).
    Duration max_backoff = std::chrono::seconds(30);

    /// Maximum price per gas of a gap filler; its cost is reserved for each nonce in flight. More than one eighth above
    /// fee_cap, otherwise transactions sent at that cap could not be cancelled (failure 33).
    Wei filler_fee_cap{Uint256(600'000'000'000)};
    Gas filler_gas{21'000};
    /// Maximum price per gas of an attempt.
    Wei fee_cap{Uint256(500'000'000'000)};

    /// A newly opened lane treats its view of the chain as complete after the first block, or after this time: slightly
    /// longer than the follower's polling interval.
    Duration view_timeout = std::chrono::seconds(2);

    /// Interval at which a lane compares the chain's counts with its cursor and its attempts.
    Duration reconcile_interval = std::chrono::minutes(5);
    /// An alert is raised after this many consecutive failures.
    std::uint32_t reconcile_failures = AlertThresholds{}.reconcile_failures;

    GreyZoneRules grey_zone{};

    /// Query pools about overdue transactions, and record the diagnosis in their history.
    bool diagnose = false;

    /// A preparation older than this is repeated (simulation and price) before signing.
    Duration price_ttl = std::chrono::seconds(60);

    /// Polling interval for new work and commands.
    Duration poll_interval = std::chrono::seconds(1);
    /// Interval of full scans of the queue: an intent may be committed late (failure 35).
    Duration full_scan_interval = std::chrono::seconds(10);

    NonceMode mode = NonceMode::strict;
    /// For relaxed mode.
    relaxed::RelaxedOptions relaxed{};

    /// None: unrestricted. Checked again before a nonce is allocated, since it may have changed since acceptance; bumps
    /// and gap fillers of transactions in flight are exempt, up to the caps.
    std::optional<SubmitterPolicy> policy{};
    /// An alert is raised when the balance, less the reserve for transactions in flight, falls below this.
    std::optional<Wei> low_balance{};

    WakeUpCheck wake_ups{};
};

}  // namespace fencepost::lane
