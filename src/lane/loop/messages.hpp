// What a lane hears from the tasks it sent out. The lane alone changes its state; whoever talks to the world for it
// reports here, and the lane reads its inbox when it has finished what it was doing.
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

/// The head of the queue, as the store has it.
struct QueueRead {
    std::vector<QueuedIntent> items;
};

/// It can be sent, with these.
struct Ready {
    Gas gas_limit;
    Fees fees;
};
/// It certainly cannot.
struct Refused {
    Refusal refusal{};
    std::string reason;
};
/// It depends on transactions before it: look again when they are mined.
struct WaitForPredecessors {
    std::string why;
};
/// The chain did not answer: nothing is known.
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

/// Signed, and not on record: may not leave the process yet (law 2), nor lie about in its memory when it is not used.
/// Where a connector signs, what it will be asked for.
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
    /// All that were taken for it, used or not.
    std::vector<Nonce> nonces{};
};

/// The next attempt would have to offer more than the cap.
struct AtCap {};
/// The policy wants none now.
struct NotWanted {};
/// What came of a bump or a filler that was to be signed. Like a batch's, its bytes are not on record yet.
struct Replaced {
    Replaced() = default;
    Replaced(Replaced&&) noexcept = default;
    Replaced& operator=(Replaced&&) noexcept = default;
    ~Replaced() {
        if (auto* attempt = std::get_if<Attempt>(&outcome)) wipe(attempt->raw);
    }

    Nonce nonce{};
    AttemptKind kind = AttemptKind::bump;
    std::variant<NotWanted, AtCap, TryAgain, Attempt, ClaimedSend> outcome{};
};

/// Why bytes are sent: because a commit asked for it, or because pools lost them.
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

/// What pools have of these; nothing when no endpoint answered.
struct PoolsRead {
    Instant asked_at;
    std::vector<Nonce> nonces;
    std::vector<PoolView> views;
};

struct DelegationRead {
    RpcResult<bool> is_delegated;
};

/// A connector was asked to sign and to send.
struct Submitted {
    Nonce nonce;
    ClaimedSend claim;
    ConnectorAnswer answer;
    /// As it was told, or else derived.
    std::optional<TxHash> hash{};
};

/// What becomes of one in the grey zone, as it is counted.
enum class GreyZoneEvent {
    entered,
    derived,      // the connector says which hash it must have
    found,        // it stands on the chain, or waits to, at its nonce
    taken,        // another does
    timed_out,    // its nonce was free for too long: a filler consumes it
    handed_over,  // to a person
};
/// The hash of something that a connector was asked for.
struct SubmissionFound {
    Nonce nonce;
    ClaimedSend claim;
    TxHash hash;
    GreyZoneEvent how = GreyZoneEvent::found;
};
/// What a look for something in the grey zone came to; what was found is told before.
struct GreyZoneLook {
    enum class Finding { unknown, found, taken, free };
    Nonce nonce;
    Finding finding = Finding::unknown;
};

/// They did not leave: when it was their turn, the lane might not act.
struct NotSent {
    std::vector<Nonce> nonces;
};

struct ReceiptSeen {
    Receipt receipt;
};
struct ReceiptMissed {
    TxHash hash;
};
/// The chain was asked for the receipts of every attempt at this nonce and has none.
struct ReceiptsMissing {
    Nonce nonce;
};
/// It was asked and gave no answer.
struct ReceiptsUnknown {
    Nonce nonce;
};

/// Why the mined transaction with this hash failed.
struct FailureExplained {
    TxHash hash;
    /// None: nobody answered.
    std::optional<std::string> reason;
};

/// What the chain says about a block that lies below the watch's window.
struct DeepBlockRead {
    BlockNumber number;
    BlockHash block;
    enum class Standing { included, orphaned, unknown } standing = Standing::unknown;
    std::vector<BlockRef> confirmations{};
};
/// The settled transactions of a block that a reorg removed.
struct BlockReadBack {
    SettledBlock block;
    Result<LaneState, StoreError> state;
};

/// Somebody else's transaction consumed a nonce of ours: by name, as evidence must be.
struct NonceTaken {
    Nonce nonce;
    TxHash by;
    BlockNumber block_number;
    BlockHash block_hash;
};

/// The nonce that somebody else had used is not consumed any more.
struct NonceFree {
    Nonce nonce;
};
/// Which block stands where somebody else's transaction was seen.
struct ForeignBlockRead {
    Nonce nonce;
    BlockHash block;
    /// None: nobody could tell.
    std::optional<BlockHash> found{};
};

/// How many transactions the chain has of this account.
struct CountsRead {
    RpcResult<AccountCounts> counts;
};
/// What the chain says about a nonce at or above the cursor, which was never given.
struct OutsideUseRead {
    Nonce cursor;  // when it was asked
    std::string reason;
    /// Otherwise nobody could tell.
    bool is_certain = false;
};
/// What an unprotect is decided by.
struct UnprotectRead {
    Command command;
    RpcResult<AccountCounts> counts;
    RpcResult<Nonce> finalized;
};

/// What endpoints say about the lowest nonces in flight, as far as they answered.
struct SlotsRead {
    Nonce count{};
    std::vector<SlotFacts> slots{};
};

struct CommandsRead {
    std::vector<Command> commands;
    /// Those that commands name and that still wait for a nonce.
    std::vector<QueuedIntent> queued{};
};

/// What the policy says about one that is stuck.
struct StuckDecided {
    Nonce nonce;
    StuckDecision decision{};
};

/// How the comparison of a shared key's count with the chain's went.
struct NoncesAligned {
    bool done = false;
};
/// A nonce that nobody uses, below others of ours in flight.
struct HoleRead {
    std::optional<Nonce> hole{};
};
/// There is something new in the queue.
struct WorkHandedIn {};

/// An errand ended without its report.
struct ErrandFailed {};

using Message = std::variant<ErrandFailed, QueueRead, Prepared, BalanceRead, SignedBatch, Sent, NotSent, ReceiptSeen,
                             ReceiptMissed, ReceiptsMissing, ReceiptsUnknown, FailureExplained, DeepBlockRead,
                             BlockReadBack, NonceTaken, NonceFree, ForeignBlockRead, CountsRead, OutsideUseRead,
                             UnprotectRead, SlotsRead, CommandsRead, Replaced, StuckDecided, Submitted, SubmissionFound,
                             GreyZoneLook, NoncesAligned, HoleRead, WorkHandedIn, PoolsRead, DelegationRead>;

class Inbox {
public:
    explicit Inbox(const Executor& executor) : wakeup_(executor) {}

    void put(Message message) {
        messages_.push_back(std::move(message));
        wakeup_.ring();
    }
    /// Wakes the lane without a message: something it can see by itself has changed.
    void ring() { wakeup_.ring(); }

    [[nodiscard]] std::vector<Message> take() { return std::exchange(messages_, {}); }
    [[nodiscard]] bool empty() const { return messages_.empty(); }
    [[nodiscard]] std::size_t size() const { return messages_.size(); }
    /// For a message or a ring, until the deadline at the latest.
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
