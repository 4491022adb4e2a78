// Commands of operators and callers to a lane. Any node writes the command row and the lane executes it under its
// fence: a cancel on one node and an allocation on another cannot cross (failure 25).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "domain/ids.hpp"
#include "domain/submitter_id.hpp"
#include "domain/tx/transaction_state.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

enum class CommandKind { cancel, speed_up, pause, resume, protect, unprotect, requeue, resubmit, reconcile };
FP_ENUM_NAMES(CommandKind, as_written, cancel, speed_up, pause, resume, protect, unprotect, requeue, resubmit,
              reconcile)

using CommandSequence = Ordinal<struct CommandSequenceTag>;

struct Command {
    CommandSequence sequence;
    SubmitterId submitter;
    CommandKind kind;
    std::optional<TxId> tx;    // of cancel, speed_up, requeue and resubmit
    std::string requested_by;  // the API key's name, for the audit
    std::string reason;
    /// As read: the queue position of its transaction; none if it is not queued.
    std::optional<AcceptSequence> queued_at{};
    /// As read: the state of its transaction; none if the submitter has no such transaction.
    std::optional<Position> tx_position{};
    /// As read: the transaction that replaced it in the queue.
    std::optional<TxId> requeued_as{};
};

/// Contract: a posted command is durable and is returned to its lane until the lane has recorded it as done; commands
/// of one submitter are returned in the order in which they were posted.
class Commands {
public:
    virtual ~Commands() = default;

    [[nodiscard]] virtual Task<Result<CommandSequence, StoreError>> post(Command command) = 0;
    [[nodiscard]] virtual Task<Result<std::vector<Command>, StoreError>> pending(SubmitterId submitter) = 0;
};

}  // namespace fencepost
