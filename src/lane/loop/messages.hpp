// The messages from background tasks to their lane. Only the lane changes its state; tasks report to its inbox, which
// it reads between turns.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/async/wakeup.hpp"
#include "base/crypto/wipe.hpp"
#include "domain/tx/attempt.hpp"
#include "domain/tx/claimed_send.hpp"
#include "domain/tx/diagnosis.hpp"
#include "domain/tx/receipt.hpp"
#include "domain/window/send_outcome.hpp"
#include "ports/chain.hpp"
#include "ports/clock.hpp"
#include "ports/sending_connector.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/stuck_policy.hpp"

namespace fencepost::lane {

/// The head of the queue, as stored.
struct QueueRead {
    std::vector<QueuedIntent> items;
};

/// Ready to be sent, with this gas limit and fee.
struct Ready {
    Gas gas_limit;
    Fees fees;
};
/// Certain to fail.
struct Refused {
    Refusal refusal{};
    std::string reason;
};
/// Depends on earlier transactions: repeat when they are mined.
struct WaitForPredecessors {
    std::string why;
};
/// The chain did not answer: retry.
struct TryAgain {
    std::string why;
};
using Preparation = std::variant<Ready, Refused, WaitForPredecessors, TryAgain>;

struct Prepared {
    TxId id;
    AcceptSequence sequence;
    Preparation outcome;
};

struct BalanceRead {
    RpcResult<Wei> balance;
};

/// Signed, and not recorded yet: must not leave the process (law 2), and is wiped when unused. With a signing
/// connector: a claim.
using SignOutcome = std::variant<Attempt, ClaimedSend, Refused, TryAgain>;
struct SignedItem {
    TxId id;
    AcceptSequence sequence;
    SignOutcome outcome;
};
struct SignedBatch {
    SignedBatch() = default;
    SignedBatch(SignedBatch&&) noexcept = default;
    SignedBatch& operator=(SignedBatch&&) noexcept = default;
    ~SignedBatch() {
        for (auto& item : items)
            if (auto* attempt = std::get_if<Attempt>(&item.outcome)) wipe(attempt->raw);
    }

    std::vector<SignedItem> items{};
    /// All nonces that were taken for it, used or not.
    std::vector<Nonce> nonces{};
};

/// The next attempt would exceed the cap.
struct FeeCapReached {};
/// The policy proposes no bump now.
struct NotWanted {};
/// The result of building a bump or gap filler. Its bytes are not recorded yet.
struct Replaced {
    Replaced() = default;
    Replaced(Replaced&&) noexcept = default;
    Replaced& operator=(Replaced&&) noexcept = default;
    ~Replaced() {
        if (auto* attempt = std::get_if<Attempt>(&outcome)) wipe(attempt->raw);
    }

    Nonce nonce{};
    AttemptKind kind = AttemptKind::bump;
    std::variant<NotWanted, FeeCapReached, TryAgain, Attempt, ClaimedSend> outcome{};
};

/// Why bytes are sent: requested by a commit, or lost by pools.
enum class Purpose { asked, repair };

struct Sent {
    struct Item {
        Nonce nonce;
        TxHash hash;
        SendReport report;
    };
    Purpose purpose = Purpose::asked;
    std::vector<Item> items{};
};

/// The pool contents for these nonces; empty when no endpoint answered.
struct PoolsRead {
    Instant asked_at;
    std::vector<Nonce> nonces;
    std::vector<PoolView> views;
};

struct DelegationRead {
    RpcResult<bool> is_delegated;
};

/// The result of a request to a signing connector.
struct Submitted {
    Nonce nonce;
    ClaimedSend claim;
    ConnectorAnswer answer;
    /// As reported, or else computed.
    std::optional<TxHash> hash{};
};

/// How a grey-zone entry began or ended, for metrics.
enum class GreyZoneEvent {
    entered,
    derived,      // the connector computed its hash
    found,        // found at its nonce, mined or pending
    taken,        // another transaction has its nonce
    timed_out,    // its nonce was free for too long: a gap filler consumes it
    handed_over,  // handed over to an operator
};
/// The hash of a claim was found.
struct SubmissionFound {
    Nonce nonce;
    ClaimedSend claim;
    TxHash hash;
    GreyZoneEvent how = GreyZoneEvent::found;
};
/// The result of a grey-zone lookup; a found hash is reported before.
struct GreyZoneLookup {
    enum class Finding { unknown, found, taken, free };
    Nonce nonce;
    Finding finding = Finding::unknown;
};

/// They were not sent: the lane was not allowed to act at that time.
struct NotSent {
    std::vector<Nonce> nonces;
};

struct ReceiptSeen {
    Receipt receipt;
};
struct ReceiptMissed {
    TxHash hash;
};
/// The chain has no receipt for any attempt at this nonce.
struct ReceiptsMissing {
    Nonce nonce;
};
/// The chain gave no answer.
struct ReceiptsUnknown {
    Nonce nonce;
};

/// Why the mined transaction with this hash failed.
struct FailureExplained {
    TxHash hash;
    /// None: no endpoint answered.
    std::optional<std::string> reason;
};

/// The chain's answer about a block below the watch's view.
struct DeepBlockRead {
    BlockNumber number;
    BlockHash block;
    enum class BlockStatus { included, orphaned, unknown } block_status = BlockStatus::unknown;
    std::vector<BlockRef> confirmations{};
};
/// The settled transactions of a block that a reorg removed.
struct BlockReadBack {
    SettledBlock block;
    Result<LaneState, StoreError> state;
};

/// An external transaction consumed a nonce of ours; evidence requires its hash.
struct NonceTaken {
    Nonce nonce;
    TxHash by;
    BlockNumber block_number;
    BlockHash block_hash;
};

/// The nonce that an external transaction had consumed is free again.
struct NonceFree {
    Nonce nonce;
};
/// The canonical block at the height of the external transaction.
struct ExternalBlockRead {
    Nonce nonce;
    BlockHash block;
    /// None: unknown.
    std::optional<BlockHash> found{};
};

/// The account's transaction counts on the chain.
struct CountsRead {
    RpcResult<AccountCounts> counts;
};
/// External use of a nonce at or above the cursor.
struct ExternalUseRead {
    Nonce cursor;  // at the time of the query
    std::string reason;
    /// False: no endpoint could tell.
    bool is_certain = false;
};
/// The chain data for an unprotect.
struct UnprotectRead {
    Command command;
    RpcResult<AccountCounts> counts;
    RpcResult<Nonce> finalized;
};

/// The endpoints' reports about the lowest nonces in flight.
struct SlotsRead {
    Nonce count{};
    std::vector<SlotFacts> slots{};
};

struct CommandsRead {
    std::vector<Command> commands;
    /// Transactions named by commands that are still queued.
    std::vector<QueuedIntent> queued{};
};

/// The stuck policy's decision.
struct StuckDecided {
    Nonce nonce;
    StuckDecision decision{};
};

/// The result of aligning a shared key with the chain.
struct NoncesAligned {
    bool done = false;
};
/// An unused nonce below own transactions in flight.
struct GapRead {
    std::optional<Nonce> gap_to_fill{};
};
/// The queue has a new entry.
struct WorkSubmitted {};

/// A background task ended without its report.
struct TaskFailed {};

using Message = std::variant<TaskFailed, QueueRead, Prepared, BalanceRead, SignedBatch, Sent, NotSent, ReceiptSeen,
                             ReceiptMissed, ReceiptsMissing, ReceiptsUnknown, FailureExplained, DeepBlockRead,
                             BlockReadBack, NonceTaken, NonceFree, ExternalBlockRead, CountsRead, ExternalUseRead,
                             UnprotectRead, SlotsRead, CommandsRead, Replaced, StuckDecided, Submitted, SubmissionFound,
                             GreyZoneLookup, NoncesAligned, GapRead, WorkSubmitted, PoolsRead, DelegationRead>;

class Inbox {
public:
    explicit Inbox(const Executor& executor) : wakeup_(executor) {}

    void put(Message message) {
        messages_.push_back(std::move(message));
        wakeup_.notify();
    }
    /// Wakes the lane without a message: state that it reads itself has changed.
    void notify() { wakeup_.notify(); }

    [[nodiscard]] std::vector<Message> take() { return std::exchange(messages_, {}); }
    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] std::size_t size() const { return messages_.size(); }
    /// Waits for a message or a wake-up, until the deadline.
    [[nodiscard]] Task<void> wait_until(Clock* clock, Instant deadline) {
        return clock->wait_until(&wakeup_, deadline);
    }

private:
    std::vector<Message> messages_;
    Wakeup wakeup_;
};

}  // namespace fencepost::lane

template <>
inline constexpr fencepost::EnumNames<fencepost::lane::GreyZoneEvent, 6>
    fencepost::enum_names<fencepost::lane::GreyZoneEvent>{{
        {fencepost::lane::GreyZoneEvent::entered, "entered"},
        {fencepost::lane::GreyZoneEvent::derived, "derived"},
        {fencepost::lane::GreyZoneEvent::found, "found"},
        {fencepost::lane::GreyZoneEvent::taken, "taken"},
        {fencepost::lane::GreyZoneEvent::timed_out, "timed_out"},
        {fencepost::lane::GreyZoneEvent::handed_over, "handed_over"},
    }};
