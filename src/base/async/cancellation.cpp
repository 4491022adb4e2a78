#include "base/async/cancellation.hpp"

#include <boost/asio/error.hpp>

namespace fencepost {

Task<void> throw_if_cancelled() {
    // Awaiting a task usually throws by itself, but not where the caller has disabled that.
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
}

Cancelled::Cancelled() : system_error(asio::error::operation_aborted) {}

Task<void> throw_on_if_cancelled(std::exception_ptr error) {
    co_await throw_if_cancelled();
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        throw;
    } catch (...) {
        co_return;
    }
}

}  // namespace fencepost
