// Explicit cancellation checks. A task that is cancelled at the moment its wait ends resumes normally, and only its
// next co_await throws: too late if that is the join of a group into which it has spawned tasks meanwhile.
#pragma once

#include <exception>

#include <boost/system/system_error.hpp>

#include "base/async/task.hpp"

namespace fencepost {

/// Throws if the caller was cancelled. Await it before filling a local TaskGroup when something else was awaited
/// before: there is no suspension point between it and join().
[[nodiscard]] Task<void> throw_if_cancelled();

/// The cancellation exception for code that called reset_cancellation_state, which clears the state.
class Cancelled final : public boost::system::system_error {
public:
    Cancelled();
};

/// For a caught exception: throws if the caller was cancelled. If it returns, the exception is an error, including an
/// "operation aborted" without cancellation.
[[nodiscard]] Task<void> throw_on_if_cancelled(std::exception_ptr error);

}  // namespace fencepost
