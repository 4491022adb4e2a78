// What the operator decides about a submitter's lane. The defaults are the seeds', where they had one.
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
    depth,      // so many blocks above its own
    safe,       // its block is `safe`
    finalized,  // its block is `finalized`
};

/// What happens to the queue behind a transaction that was rejected or failed.
enum class OnFailure {
    go_on,
    stop,  // the submitter is paused, and a person decides
};

/// Whose key it is.
enum class NonceMode {
    strict,   // ours alone: nonces without a gap, and whoever else uses it stops the submitter
    relaxed,  // shared with other systems: the next nonce is the highest of what the chain, this node and the database
              // know
};

using fencepost::BumpRules;
using fencepost::ResubmitRules;

/// What a connector that signs may have sent, and nobody knows its hash.
struct GreyZoneRules {
    /// Look for it by itself. Otherwise a person decides.
    bool enabled = true;
    Duration interval = std::chrono::seconds(60);
    /// A nonce that is still free after so long is given up.
    Duration timeout = std::chrono::minutes(5);
};

struct LaneOptions {
    /// How many nonces may wait to be mined: found by itself, or fixed. 1 is the seeds' single in-flight.
    WindowRules window{};

    /// Pools of geth take one transaction at a time of an account that is delegated (EIP-7702). A chain whose nodes do
    /// not can say so.
    bool delegated_one_at_a_time = true;

    FinalityRule finality = FinalityRule::depth;
    std::uint64_t confirmations_required = 20;

    /// At first contact. None: the chain's count. A number is refused where the chain's count is another. Not for a
    /// shared key, whose count is others' business.
    std::optional<Nonce> start_from{};
    /// So long a lane that opens waits for endpoints that do not answer or seem to lag, where the answer decides much:
    /// at first contact, and when the chain seems to have lost what was final. Then it decides by those that answer.
    Duration first_contact_patience = std::chrono::seconds(30);
    /// At first contact, go on although somebody else has transactions in flight.
    bool adopt_pending = false;

    OnFailure on_failure = OnFailure::go_on;

    /// The same bytes are sent again when nothing was heard of them for so long; then after 2, 4 and 8 times as long.
    Duration resubmit_interval = std::chrono::seconds(60);
    ResubmitRules resubmit{};
    BumpRules bump{};
    /// Sent for so long without a receipt, a transaction is stuck.
    Duration stuck_after = std::chrono::hours(1);
    /// Counted from the first sending; for one that never got a nonce, from its acceptance.
    Duration transaction_timeout = std::chrono::minutes(30);
    /// What has timed out is given up: its nonce is consumed by a filler. Otherwise it is only called so.
    bool fail_on_timeout = false;
    /// A nonce is given up because nodes refuse its transaction for good only when so many endpoints say so (or all
    /// there are), no other answers otherwise, and so many times in a row.
    std::uint32_t refusal_agreement = 2;
    std::uint32_t refusal_rounds = 3;
    /// A receipt is asked for when no block brought it for so long.
    Duration stale_receipt_timeout = std::chrono::seconds(60);
    /// A lane that opens asks at once for the receipts of what it finds in flight. Otherwise what no block brings is
    /// asked for when it is stale.
    bool fetch_receipt_upon_entry = false;
    /// Calls that fail are tried again after 1, 2, 4… seconds, and at most so many.
    Duration longest_backoff = std::chrono::seconds(30);

    /// The most a filler may pay for a unit of gas; its cost is set aside for each nonce in flight. By more than an
    /// eighth above the other cap, or what was sent at that cap could not be cancelled any more (failure 33).
    Wei filler_fee_cap{Uint256(600'000'000'000)};
    Gas filler_gas{21'000};
    /// The most an attempt may offer for a unit of gas.
    Wei fee_cap{Uint256(500'000'000'000)};

    /// A lane that was just opened takes its view of the chain for complete when it was told of a block, or after so
    /// long: a little more than the follower's pause between two looks.
    Duration view_patience = std::chrono::seconds(2);

    /// A lane compares the chain's counts with its cursor and its attempts this often.
    Duration reconcile_interval = std::chrono::minutes(5);
    /// Somebody is woken when that failed so many times in a row.
    std::uint32_t reconcile_failures = AlertThresholds{}.reconcile_failures;

    GreyZoneRules grey_zone{};

    /// Ask pools why transactions are overdue, and keep the answer in their history.
    bool diagnose = false;

    /// What was prepared longer ago, and has no nonce yet, is simulated and priced again before it is signed.
    Duration price_ttl = std::chrono::seconds(60);

    /// A lane that was not woken looks for new work and commands this often.
    Duration look_interval = std::chrono::seconds(1);
    /// It looks from the very beginning of the queue this often: an intent may be committed late (failure 35).
    Duration full_look_interval = std::chrono::seconds(10);

    NonceMode mode = NonceMode::strict;
    /// Of relaxed mode.
    relaxed::RelaxedOptions relaxed{};

    /// None: the key may be used for everything. Judged once more before a nonce is given, since it may have changed
    /// since the transaction was accepted; what is in flight is bumped and filled whatever it says, up to the caps.
    std::optional<SubmitterPolicy> policy{};
    /// Somebody is woken when the balance, less all that is set aside for what is in flight, falls below it.
    std::optional<Wei> low_balance{};

    WakeUpCheck wake_ups{};
};

}  // namespace fencepost::lane
