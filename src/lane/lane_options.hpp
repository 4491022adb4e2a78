// What the operator decides about a submitter's lane. The defaults are the seeds', where they had one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"

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

struct LaneOptions {
    /// How many nonces may wait to be mined. 1 is the seeds' single in-flight.
    std::uint32_t window = 16;

    FinalityRule finality = FinalityRule::depth;
    std::uint64_t confirmations_required = 20;

    /// At first contact. None: the chain's count. A number is refused where the chain's count is another.
    std::optional<Nonce> start_from{};
    /// So long a lane that opens waits for endpoints that do not answer or seem to lag, where the answer decides much:
    /// at first contact, and when the chain seems to have lost what was final. Then it decides by those that answer.
    Duration first_contact_patience = std::chrono::seconds(30);
    /// A lane that opens and hears nothing of its chain for so long, two leases, gives its lease back: another node may
    /// reach the chain.
    Duration chain_patience = std::chrono::seconds(20);
    /// At first contact, go on although somebody else has transactions in flight.
    bool adopt_pending = false;

    OnFailure on_failure = OnFailure::go_on;

    /// The same bytes are sent again when nothing was heard of them for so long.
    Duration resubmit_interval = std::chrono::seconds(60);
    /// A receipt is asked for when no block brought it for so long.
    Duration stale_receipt_timeout = std::chrono::seconds(60);
    /// A lane that opens asks at once for the receipts of what it finds in flight.
    bool fetch_receipt_upon_entry = true;
    /// Calls that fail are tried again after 1, 2, 4… seconds, and at most so many.
    Duration longest_backoff = std::chrono::seconds(30);

    /// The most a filler may pay for a unit of gas; its cost is set aside for each nonce in flight.
    Wei filler_fee_cap{Uint256(500'000'000'000)};
    Gas filler_gas{21'000};
    /// The most an attempt may offer for a unit of gas.
    Wei fee_cap{Uint256(500'000'000'000)};

    /// What was prepared longer ago, and has no nonce yet, is simulated and priced again before it is signed.
    Duration price_ttl = std::chrono::seconds(60);

    /// A lane that was not woken looks for new work and commands this often.
    Duration look_interval = std::chrono::seconds(1);
    /// It looks from the very beginning of the queue this often: an intent may be committed late (failure 35).
    Duration full_look_interval = std::chrono::seconds(10);
};

}  // namespace fencepost::lane
