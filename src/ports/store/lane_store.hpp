// What a lane reads when it opens, and all that it writes. Every write of a lane goes through write(), so there is one
// place where the fence is checked.
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

/// Forgets the receipt on record.
struct RollBackReceipt {};

/// All that one write says about one transaction. What is left out stays as it is.
struct TxUpdate {
    TxId tx;
    /// Where the transaction must stand now: anywhere else is a conflict, and nothing of the submitter's is written.
    Position expected;
    Position to;
    /// Its one nonce: with the move from QUEUED to ALLOCATED, the first attempt (or claim), and the cursor move that
    /// covers it.
    std::optional<Nonce> nonce{};
    /// Put on record before a byte of them is sent (law 2).
    std::vector<Attempt> attempts{};
    /// The same of what a connector that signs is to be asked for.
    std::vector<ClaimedSend> claims{};
    std::optional<Abandonment> abandonment{};
    /// How many times bytes of it were sent since the last write: counted, and dated by the database.
    std::uint32_t sends = 0;
    /// When it is sent again if nothing else happens: told to people.
    std::optional<Duration> next_action_in{};
    /// The clocks, counts and decisions that the next owner goes on from; dated by the database.
    std::optional<TxProgress> progress{};
    /// The chain was asked for a receipt and had none.
    bool receipt_missing = false;
    std::variant<std::monostate, Receipt, RollBackReceipt> receipt{};
    /// The confirmation list, kept with a transaction that settles, so that old headers can be pruned.
    std::optional<std::vector<BlockRef>> confirmations{};
    /// Empty clears it.
    std::optional<std::string> error{};
    /// Its intent is handed in again, as a new transaction that is linked to this one and goes to the end of the
    /// queue, whatever the submitter's status. The ids follow from this one's (domain/requeue.hpp), and there is one at
    /// most: where there is one already, that is a conflict. Only with or after its loss of the nonce for good. The
    /// text begins the new one's history.
    std::optional<std::string> requeue{};
    /// Told to the world once this is committed, numbered per transaction.
    std::vector<TxEventBody> events{};
    /// Told to people who ask; equal consecutive steps are folded into one row.
    std::vector<HistoryStep> history{};
};

struct CursorMove {
    std::optional<Nonce> expected;  // none at first contact: then there must be no cursor yet, and watching starts at
                                    // the lowest nonce of the write, or at `next`
    Nonce next;
};

struct StatusChange {
    SubmitterStatus status = SubmitterStatus::active;
    std::string reason{};
};

/// One submitter's part of a batch: all of it is written, or none.
struct LaneWrite {
    SubmitterId submitter;
    Fence fence;
    std::optional<CursorMove> cursor{};
    /// Every nonce below is finalized: lanes need not watch it any more.
    std::optional<Nonce> watch_from{};
    std::optional<StatusChange> status{};
    /// How many nonces may be in flight, and why not more. There is a cursor, or this write makes it.
    std::optional<WindowState> window{};
    std::vector<CommandSequence> commands_done{};
    /// Of a shared key, each nonce at most once: what happens to its allocation. One that is given back leaves the
    /// ledger, too, and may be given to another transaction. One that is somebody else's, or done with, is a
    /// conflict.
    std::vector<NonceMark> nonce_marks{};
    /// Each transaction at most once.
    std::vector<TxUpdate> transactions{};
};

enum class WriteAnswer {
    applied,
    fenced,    // the lease is not ours any more: the lane stops at once, sends nothing and forgets its state
    busy,      // the lease row is locked elsewhere: into the next batch
    conflict,  // something was not as expected: reload
};
FP_ENUM_NAMES(WriteAnswer, as_written, applied, fenced, busy, conflict)

struct QueuedIntent {
    TxId id;
    AcceptSequence sequence;
    Intent intent;
    /// Since it was accepted, by database time.
    Duration waited{};
};

/// What is on record about the sending of a transaction, as of the moment it was read: durations, because a node's
/// clock is not the database's.
struct Sending {
    /// Since it was accepted.
    Duration since_accepted{};
    /// Since bytes of it were first sent; none before that.
    std::optional<Duration> since_first{};
    std::string error{};
    /// As it was written last; none by versions that did not write it.
    std::optional<TxProgress> progress{};
    /// Since that was written.
    Duration since_progress{};
};

/// A block that holds settled transactions of one submitter that are not finalized, and the nonces that these are
/// among. In a lane's memory there is no more of them than this.
struct SettledBlock {
    BlockNumber number;
    BlockHash hash;
    Nonce first;
    Nonce last;

    friend bool operator==(const SettledBlock&, const SettledBlock&) = default;
};

/// Everything a lane needs to go on from the database alone.
struct LaneState {
    std::optional<Nonce> next_nonce{};  // none before first contact
    Nonce watch_from{};
    StatusChange status{};
    /// As the last owner left it; none while it was never written.
    std::optional<WindowState> window{};
    /// Those with a nonce that are not settled, and those whose block a reorg removed after that, by nonce.
    std::vector<Transaction> watched{};
    /// What their callers asked for: a bump is made from it.
    std::map<TxId, Intent> intents{};
    /// Of the same ones.
    std::map<TxId, Sending> sendings{};
    /// Where the other settled ones are that may not be finalized yet (failure 26), by height.
    std::vector<SettledBlock> settled{};
};

/// A transaction that got its nonce lately.
struct RecentAllocation {
    TxId tx;
    /// By database time.
    Duration ago{};
    /// The value of its intent, and the gas of its dearest attempt or claim.
    Spending spending{};
};

/// What an implementation promises:
/// - a write happens in one database transaction that first locks the lease rows of all its submitters, in order,
///   skipping locked ones, and finds owner = this node, token = this opening, unexpired by database time (law 1);
/// - one answer per submitter, in the order asked; where it is not `applied`, nothing of that submitter's was written;
/// - a submitter that occurs twice in a batch gets its second part answered `busy`;
/// - a write past half of its lease renews it;
/// - an event exists exactly when the change it tells of was committed, numbered per transaction without gaps;
/// - after unknown_outcome the truth is read by opening the lane anew, which no late commit can outrun.
class LaneStore {
public:
    virtual ~LaneStore() = default;

    [[nodiscard]] virtual Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) = 0;

    /// To be called after open() has returned, never in one statement with it (failure 23).
    [[nodiscard]] virtual Task<Result<LaneState, StoreError>> load(SubmitterId submitter) = 0;
    /// The settled transactions of this block, as load() gives those that are not: a reorg has removed the block.
    [[nodiscard]] virtual Task<Result<LaneState, StoreError>> load_block(SubmitterId submitter, SettledBlock block) = 0;
    /// The lowest unassigned intents at or above `from`. A lane that got on passes the lowest sequence it has not
    /// settled, and every now and then 0: an intent that was committed late may lie below (failure 35).
    [[nodiscard]] virtual Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter,
                                                                                            AcceptSequence from,
                                                                                            std::size_t limit) = 0;
    /// What got its nonce within so long before now, whichever node gave it: what was spent within a policy's window
    /// survives restarts and takeovers.
    [[nodiscard]] virtual Task<Result<std::vector<RecentAllocation>, StoreError>> allocated_within(
        SubmitterId submitter, Duration window) = 0;
};

}  // namespace fencepost
