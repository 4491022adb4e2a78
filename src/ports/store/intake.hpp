// The port that accepts intents: from here on Fencepost owes a verdict. Any node may accept for any submitter, without
// a lease.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "domain/intent.hpp"
#include "domain/submitter_id.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {

struct NewIntent {
    TxId id;
    SubmitterId submitter;
    std::optional<RequestId> request;
    Intent intent;
};

enum class AcceptKind {
    accepted,             // durable, QUEUED, in the acceptance order
    same_again,           // this request is known: the result names the original. Takes precedence over any refusal
                          // (failure 24)
    other_body,           // the request id is known with another body
    submitter_paused,     // new, and refused
    submitter_protected,  // new, and refused
    invalid,              // cannot be stored (a request id that is not UTF-8, or is too long)
};
FP_ENUM_NAMES(AcceptKind, as_written, accepted, same_again, other_body, submitter_paused, submitter_protected, invalid)

struct AcceptAnswer {
    AcceptKind kind;
    TxId id;             // the transaction of this request, new or original
    std::string reason;  // why a new intent was refused
    /// As recorded; only for newly accepted intents, where it costs no extra query.
    std::optional<UnixTime> accepted_at{};
};

/// Contract:
/// - one result per intent, in the order of the batch; an invalid intent never affects the others (failure 13);
/// - an intent that is `accepted` survives every crash of Fencepost and of the database;
/// - idempotent on (submitter, request id), decided by a unique index inside the insert, also under concurrency;
/// - if A was accepted before B was submitted, A has the lower sequence;
/// - after unknown_outcome, a retry with the same request ids returns the actual result.
class Intake {
public:
    virtual ~Intake() = default;
    [[nodiscard]] virtual Task<Result<std::vector<AcceptAnswer>, StoreError>> accept(std::vector<NewIntent> batch) = 0;
};

}  // namespace fencepost
