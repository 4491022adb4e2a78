// How the nonces of a shared key fail, from the caller's side: what may be done next.
#pragma once

#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "ports/store/lane_store.hpp"
#include "ports/store/store_error.hpp"

namespace fencepost {
namespace relaxed {

enum class NonceError {
    unavailable,      // certainly nothing was written: ask again
    unknown_outcome,  // it may have been written: this source is over, the submitter is opened anew
    fenced,           // the lease is not ours any more: this source is over
    not_yours,        // the reservation timed out, and belongs to nobody or to somebody else: send nothing
};
FP_ENUM_NAMES(NonceError, as_written, unavailable, unknown_outcome, fenced, not_yours)

/// The answer about the submitter, of a write that answers more.
template <typename Answered>
[[nodiscard]] Result<WriteAnswer, StoreError> answer_of(const Result<Answered, StoreError>& result) {
    if (!result) return err(result.error());
    return result->answer;
}

}  // namespace relaxed

}  // namespace fencepost
