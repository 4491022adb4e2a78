#include "lane/lane_context.hpp"

#include <exception>

namespace fencepost::lane {
namespace {

std::string words_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception of an unknown kind";
    }
}

}  // namespace

Task<void> guarded(Inbox* inbox, Log* log, Task<void> errand) {
    std::exception_ptr error;
    try {
        co_await std::move(errand);
    } catch (...) {
        error = std::current_exception();
    }
    if (!error) co_return;
    if (is_cancellation(error)) std::rethrow_exception(error);
    log->write(Severity::alert, "A lane's errand failed; the lane is opened anew", {{"why", words_of(error)}});
    inbox->put(ErrandFailed{});
}

}  // namespace fencepost::lane
