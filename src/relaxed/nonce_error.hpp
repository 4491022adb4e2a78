// Errors of shared-key nonce operations, classified by what the caller may do next.
#pragma once

#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {
namespace relaxed {

enum class NonceError {
    unavailable,         // nothing was written: retry
    unknown_outcome,     // it may have been written: this source is closed, the submitter must be opened again
    fenced,              // this node lost the lease: this source is closed
    not_owner_of_nonce,  // the reservation timed out, and may belong to another owner: send nothing
};
FP_ENUM_NAMES(NonceError, as_written, unavailable, unknown_outcome, fenced, not_owner_of_nonce)

/// The WriteAnswer of an operation with a larger result.
template <typename Answered>
[[nodiscard]] Result<WriteAnswer, StoreError> answer_of(const Result<Answered, StoreError>& result) {
    if (!result) return err(result.error());
    return result->answer;
}

}  // namespace relaxed

}  // namespace fencepost
