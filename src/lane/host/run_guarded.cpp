#include "lane/host/run_guarded.hpp"

#include <utility>

#include "base/async/cancellation.hpp"

namespace fencepost::lane {

std::string words_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception of an unknown kind";
    }
}

Task<bool> ends_well(Log* log, std::string_view message, std::string_view where, Task<void> step) {
    std::exception_ptr error;
    try {
        co_await std::move(step);
    } catch (...) {
        error = std::current_exception();
    }
    if (!error) co_return true;
    co_await throw_on_if_cancelled(error);
    log->write(Severity::alert, message, {{"where", std::string(where)}, {mistake_field, words_of(error)}});
    co_return false;
}

}  // namespace fencepost::lane
