#include "lane/host/run_guarded.hpp"

#include <utility>

#include "base/async/caught.hpp"

namespace fencepost::lane {

Task<bool> run_guarded(Log* log, std::string_view message, std::string_view where, Task<void> step) {
    const auto ended = co_await caught(std::move(step));
    if (ended) co_return true;
    log->write(Severity::alert, message, {{"where", std::string(where)}, {exception_field, what_of(ended.error())}});
    co_return false;
}

}  // namespace fencepost::lane
