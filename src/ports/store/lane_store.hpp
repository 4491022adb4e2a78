// The persistence port of a lane: the state it reads when it opens, and all that it writes. Every write goes through
// write(), so the fence is checked in one place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/chain/block.hpp"
#include "domain/intent.hpp"
#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "domain/submitter_policy.hpp"
#include "domain/tx/history.hpp"
#include "domain/tx/transaction.hpp"
#include "domain/tx/tx_event.hpp"
#include "domain/tx/tx_progress.hpp"
#include "domain/window/nonce_allocation.hpp"
#include "domain/window/send_outcome.hpp"
#include "domain/window/send_window.hpp"
#include "ports/store/commands.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

enum class SubmitterStatus { active, paused, protect };
FP_ENUM_NAMES(SubmitterStatus, upper, active, paused, protect)

/// Removes the recorded receipt.
struct RollBackReceipt {};

/// The changes of one transaction in one write. Fields that are left out stay unchanged.
struct TxUpdate {
    TxId tx;
    /// The position the transaction must have now. Otherwise the write is a conflict, and nothing of the submitter is
    /// written.
    Position expected;
    Position to;
    /// Its nonce, set together with the move from QUEUED to ALLOCATED, the first attempt (or claim), and the cursor
    /// move that covers it.
    std::optional<Nonce> nonce{};
    /// Recorded before any of their bytes are sent (law 2).
    std::vector<Attempt> attempts{};
    /// The same for transactions that a signing connector will be asked to send.
    std::vector<ClaimedSend> claims{};
    std::optional<Abandonment> abandonment{};
    /// Number of sends since the last write; the database adds them up and sets the time.
    std::uint32_t sends = 0;
    /// Time until the next resend, for display.
    std::optional<Duration> next_action_in{};
    /// Clocks, counters and decisions from which the next owner continues; dated by the database.
    std::optional<TxProgress> progress{};
    /// The chain was asked for a receipt and had none.
    bool receipt_missing = false;
    std::variant<std::monostate, Receipt, RollBackReceipt> receipt{};
    /// The confirmation list of a settled transaction, stored so that old headers can be pruned.
    std::optional<std::vector<BlockRef>> confirmations{};
    /// An empty string clears it.
    std::optional<std::string> error{};
    /// Queues its intent again as a new, linked transaction at the end of the queue, whatever the submitter's status.
    /// The ids are derived from this one's (domain/requeue.hpp), and there is at most one: a second is a conflict.
    /// Allowed only with or after the permanent loss of the nonce. The text becomes the first history step of the new
    /// transaction.
    std::optional<std::string> requeue{};
    /// Published after the commit, numbered per transaction.
    std::vector<TxEventBody> events{};
    /// Shown in the transaction's history; equal consecutive steps are folded into one row.
    std::vector<HistoryStep> history{};
};

struct CursorMove {
    std::optional<Nonce> expected;  // none at the nonce bootstrap: there must be no cursor yet, and watching starts at
                                    // the lowest nonce of the write, or at `next`
    Nonce next;
};

struct StatusChange {
    SubmitterStatus status = SubmitterStatus::active;
    std::string reason{};
};

/// One submitter's part of a batch: written completely or not at all.
struct LaneWrite {
    SubmitterId submitter;
    Fence fence;
    std::optional<CursorMove> cursor{};
    /// Every nonce below is finalized: lanes stop watching it.
    std::optional<Nonce> watch_from{};
    std::optional<StatusChange> status{};
    /// The size of the send window and what limits it. Requires a cursor, in the store or in this write.
    std::optional<WindowState> window{};
    std::vector<CommandSequence> commands_done{};
    /// For a shared key: what happens to the allocation of each nonce; each nonce at most once. A released nonce also
    /// leaves the ledger and may be given to another transaction. A mark on a nonce with another lock owner, or on a
    /// finished one, is a conflict.
    std::vector<NonceMark> nonce_marks{};
    /// Each transaction at most once.
    std::vector<TxUpdate> transactions{};
};

enum class WriteAnswer {
    applied,
    fenced,    // this node no longer holds the lease: the lane stops at once, sends nothing and drops its state
    busy,      // the lease row is locked by another transaction: retry in the next batch
    conflict,  // the expected state did not match: reload
};
FP_ENUM_NAMES(WriteAnswer, as_written, applied, fenced, busy, conflict)

struct QueuedIntent {
    TxId id;
    AcceptSequence sequence;
    Intent intent;
    /// Time since acceptance, by database time.
    Duration waited{};
};

/// Recorded facts about the sends of a transaction, relative to the time of the read: durations, because a node's clock
/// is not the database's.
struct Sending {
    /// Since it was accepted.
    Duration since_accepted{};
    /// Time since the first send; none before that.
    std::optional<Duration> since_first{};
    std::string error{};
    /// As last written; none if written by a version without progress.
    std::optional<TxProgress> progress{};
    /// Time since that write.
    Duration since_progress{};
};

/// A block that contains settled, not yet finalized transactions of one submitter, and their nonce range. A lane keeps
/// only this in memory.
struct SettledBlock {
    BlockNumber number;
    BlockHash hash;
    Nonce first;
    Nonce last;

    friend bool operator==(const SettledBlock&, const SettledBlock&) = default;
};

/// Everything a lane needs to continue from the database alone.
struct LaneState {
    std::optional<Nonce> next_nonce{};  // none before first contact
    Nonce watch_from{};
    StatusChange status{};
    /// As written by the last owner; none if it was never written.
    std::optional<WindowState> window{};
    /// Unsettled transactions with a nonce, and settled ones whose block a reorg removed, by nonce.
    std::vector<Transaction> watched{};
    /// The intents of `watched`: a bump is built from them.
    std::map<TxId, Intent> intents{};
    /// The send facts of `watched`.
    std::map<TxId, Sending> sendings{};
    /// The blocks of the other settled transactions that may not be finalized yet (failure 26), by height.
    std::vector<SettledBlock> settled{};
};

/// A transaction that was recently allocated.
struct RecentAllocation {
    TxId tx;
    /// By database time.
    Duration ago{};
    /// The value of its intent, and the gas cost of its most expensive attempt or claim.
    Spending spending{};
};

/// Contract:
/// - a write happens in one database transaction that first locks the lease rows of all its submitters, in order,
///   skipping locked ones, and finds owner = this node, token = this opening, unexpired by database time (law 1);
/// - one answer per submitter, in the order of the batch; unless it is `applied`, nothing of that submitter was
///   written;
/// - a submitter that occurs twice in a batch gets `busy` for the second part;
/// - a write after half of the lease has passed renews it;
/// - an event exists exactly when its change was committed, numbered per transaction without gaps;
/// - after unknown_outcome, opening the lane again returns the actual state, which no late commit can change
///   afterwards.
class LaneStore {
public:
    virtual ~LaneStore() = default;

    [[nodiscard]] virtual Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) = 0;

    /// Call it after open() has returned, never in one statement with it (failure 23).
    [[nodiscard]] virtual Task<Result<LaneState, StoreError>> load(SubmitterId submitter) = 0;
    /// The settled transactions of this block, in the form of load(), after a reorg has removed the block.
    [[nodiscard]] virtual Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) = 0;
    /// The lowest unassigned intents at or above `from`. A lane passes the lowest sequence that is not settled, and
    /// periodically 0: an intent that was committed late may have a lower sequence (failure 35).
    [[nodiscard]] virtual Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter,
                                                                                            AcceptSequence from,
                                                                                            std::size_t limit) = 0;
    /// Transactions that any node allocated within this period: spending limits survive restarts and takeovers.
    [[nodiscard]] virtual Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(
        SubmitterId submitter, Duration window) = 0;
};

}  // namespace fencepost
