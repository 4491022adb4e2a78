#include "lane/lane_context.hpp"

#include <exception>

#include "lane/mistake.hpp"

namespace fencepost::lane {

Task<void> guarded(Inbox* inbox, Log* log, Task<void> errand) {
    std::exception_ptr error;
    try {
        co_await std::move(errand);
    } catch (...) {
        error = std::current_exception();
    }
    if (!error) co_return;
    if (is_cancellation(error)) std::rethrow_exception(error);
    log->write(Severity::alert, "A lane's errand failed; the lane is opened anew", {{mistake_field, words_of(error)}});
    inbox->put(ErrandFailed{});
}

}  // namespace fencepost::lane
