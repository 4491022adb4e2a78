#include "base/cancellation.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace fencepost {

Task<void> throw_if_cancelled() {
    // Awaiting a task throws by itself in most cases; not where the caller has switched that off.
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
}

}  // namespace fencepost
