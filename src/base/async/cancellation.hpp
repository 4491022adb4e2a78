// Cancellation at points where nothing is waited for. A task that is cancelled in the very moment its wait ends resumes
// as if nothing had happened, and only its next co_await throws: too late where that is the join of a group into which
// it has spawned meanwhile.
#pragma once

#include <exception>

#include <boost/system/system_error.hpp>

#include "base/async/task.hpp"

namespace fencepost {

/// Throws the cancellation if the caller has been told to stop. To be awaited before a local TaskGroup is filled, when
/// something else was awaited before: from here to join() the caller does not wait, so nothing can come between.
[[nodiscard]] Task<void> throw_if_cancelled();

/// The cancellation, as whoever had to forget that it was told to stop throws it: after reset_cancellation_state
/// nothing else says so any more.
class Cancelled final : public boost::system::system_error {
public:
    Cancelled();
};

/// Of an exception that was caught: throws it on where the caller has been told to stop. When this returns it is a
/// mistake, also an "operation aborted" that nobody asked for.
[[nodiscard]] Task<void> throw_on_if_cancelled(std::exception_ptr error);

}  // namespace fencepost
