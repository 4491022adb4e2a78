// Cancellation at points where nothing is waited for. A task that is cancelled in the very moment its wait ends resumes
// as if nothing had happened, and only its next co_await throws: too late where that is the join of a group into which
// it has spawned meanwhile.
#pragma once

#include "base/task.hpp"

namespace fencepost {

/// Throws the cancellation if the caller has been told to stop. To be awaited before a local TaskGroup is filled, when
/// something else was awaited before: from here to join() the caller does not wait, so nothing can come between.
[[nodiscard]] Task<void> throw_if_cancelled();

}  // namespace fencepost
