// What a lane reads when it opens and every kind of change it writes. All changes go through write(), so there is one
// place where the fence is checked.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/enum_names.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "domain/intent.hpp"
#include "domain/lease.hpp"
#include "domain/send_outcome.hpp"
#include "domain/submitter_id.hpp"
#include "domain/transaction.hpp"
#include "domain/tx_event.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

enum class SubmitterStatus { active, paused, protect };

template <>
inline constexpr EnumNames<SubmitterStatus, 3> enum_names<SubmitterStatus>{{
    {SubmitterStatus::active, "ACTIVE"},
    {SubmitterStatus::paused, "PAUSED"},
    {SubmitterStatus::protect, "PROTECT"},
}};

namespace change {

/// The cursor moves from `expected` to `next`; first contact inserts it (no `expected`).
struct AdvanceCursor {
    std::optional<Nonce> expected;
    Nonce next;
};
/// The transaction gets its nonce and first attempt. In one write with the AdvanceCursor that covers it.
struct Allocate {
    TxId tx;
    Attempt attempt;
};
struct AddAttempt {
    TxId tx;
    Attempt attempt;
};
/// The transaction moves along the table, from where it is expected to stand.
struct MoveTo {
    TxId tx;
    Position expected;
    Position to;
    std::string reason;
};
/// An attempt left the process, and what was answered.
struct RecordSend {
    TxId tx;
    TxHash attempt;
    std::string endpoint;
    SendOutcome outcome;
};
struct RecordReceipt {
    TxId tx;
    Receipt receipt;
};
struct RollBackReceipt {
    TxId tx;
    TxHash attempt;
};
/// When to look at the transaction again. Claimed before the act it announces (resubmit, bump, filler).
struct Schedule {
    TxId tx;
    Duration from_now;
};
struct SetStatus {
    SubmitterStatus status;
    std::string reason;
};
/// An event, to be told once this write is committed.
struct Tell {
    TxId tx;
    TxEventBody event;
};

}  // namespace change

using Change =
    std::variant<change::AdvanceCursor, change::Allocate, change::AddAttempt, change::MoveTo, change::RecordSend,
                 change::RecordReceipt, change::RollBackReceipt, change::Schedule, change::SetStatus, change::Tell>;

/// One submitter's part of a batch: all of it is written, or none.
struct LaneWrite {
    SubmitterId submitter;
    Fence fence;
    std::vector<Change> changes;
};

enum class WriteAnswer {
    applied,
    fenced,    // the lease is not ours any more: the lane stops at once, sends nothing and forgets its state
    busy,      // the lease row is locked elsewhere: into the next batch
    conflict,  // something was not as expected: reload
};

template <>
inline constexpr EnumNames<WriteAnswer, 4> enum_names<WriteAnswer>{{
    {WriteAnswer::applied, "applied"},
    {WriteAnswer::fenced, "fenced"},
    {WriteAnswer::busy, "busy"},
    {WriteAnswer::conflict, "conflict"},
}};

struct QueuedIntent {
    TxId id;
    AcceptSequence sequence;
    Intent intent;
};

/// Everything a lane needs to go on from the database alone.
struct LaneState {
    std::optional<Nonce> next_nonce;  // none before first contact
    SubmitterStatus status = SubmitterStatus::active;
    std::string status_reason;
    /// With a nonce and not yet final, and settled ones that are not yet finalized (failure 26), by nonce.
    std::vector<Transaction> watched;
};

/// What an implementation promises:
/// - a write happens in one database transaction that first locks the lease rows of all its submitters, in order,
///   skipping locked ones, and finds owner = this node, token = this opening, unexpired by database time (law 1);
/// - the answer per submitter, in the order asked; where it is not `applied`, nothing of that submitter's was written;
/// - an event exists exactly when the change it tells of was committed, numbered per transaction without gaps.
class LaneStore {
public:
    virtual ~LaneStore() = default;

    [[nodiscard]] virtual Task<Result<std::vector<WriteAnswer>, StoreError>> write(std::vector<LaneWrite> batch) = 0;

    /// To be called after open() has returned, never in one statement with it (failure 23).
    [[nodiscard]] virtual Task<Result<LaneState, StoreError>> load(SubmitterId submitter) = 0;
    /// The lowest unassigned intents, never "those after the last": a late commit must not be skipped (failure 35).
    [[nodiscard]] virtual Task<Result<std::vector<QueuedIntent>, StoreError>> head_of_queue(SubmitterId submitter,
                                                                                            std::size_t limit) = 0;
};

}  // namespace fencepost
