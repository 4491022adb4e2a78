// How a store call fails as a whole. Decisions about a single submitter or request are results, not errors.
#pragma once

#include "base/text/enum_names.hpp"

namespace fencepost {

enum class StoreError {
    unavailable,      // nothing was written: not connected, or refused before COMMIT
    unknown_outcome,  // the connection was lost around COMMIT: the write may have been applied. The affected lanes are
                      // opened again, which raises their token, before anything else is written (law 1, failure 19)
};
FP_ENUM_NAMES(StoreError, as_written, unavailable, unknown_outcome)

}  // namespace fencepost
