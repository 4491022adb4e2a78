// Accepting intents: the moment at which we promise a verdict. Any node may accept for any submitter, without a lease.
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
    same_again,           // this request is known: the answer names the original. Comes before any refusal (failure 24)
    other_body,           // the request id is known with another body
    submitter_paused,     // new, and refused
    submitter_protected,  // new, and refused
    invalid,              // cannot be stored as it is (a request id that is not UTF-8, or is too long)
};
FP_ENUM_NAMES(AcceptKind, as_written, accepted, same_again, other_body, submitter_paused, submitter_protected, invalid)

struct AcceptAnswer {
    AcceptKind kind;
    TxId id;             // the transaction that stands for the request, new or original
    std::string reason;  // why a new one was refused
    /// Of what was accepted now, where it costs nothing to say: as the record says it.
    std::optional<UnixTime> accepted_at{};
};

/// What an implementation promises:
/// - one answer per intent, in the order asked; one bad intent never fails its neighbours (failure 13);
/// - when `accepted` is answered, the intent survives every crash of ours and of the database;
/// - idempotent on (submitter, request id), decided by a unique index inside the insert, however many ask at once;
/// - if A was answered before B was asked, A's sequence is lower;
/// - after unknown_outcome, asking again with the same request ids gives the truth.
class Intake {
public:
    virtual ~Intake() = default;
    [[nodiscard]] virtual Task<Result<std::vector<AcceptAnswer>, StoreError>> accept(std::vector<NewIntent> batch) = 0;
};

}  // namespace fencepost
