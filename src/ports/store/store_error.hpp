// How a store fails as a whole. What it decides about one submitter or one request is an answer, not an error.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class StoreError {
    unavailable,      // certainly nothing was written: not connected, or refused before COMMIT
    unknown_outcome,  // the connection was lost around COMMIT: it may have been written. The lanes concerned are opened
                      // anew, which raises their token, before anything else is written (law 1, failure 19)
};
FP_ENUM_NAMES(StoreError, as_written, unavailable, unknown_outcome)

}  // namespace fencepost
