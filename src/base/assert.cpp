#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace fencepost {

void assertion_failed(std::string_view condition, std::string_view message, const std::source_location& where) {
    fmt::print(stderr, "{}:{}: {}: assertion failed: {}{}{}\n", where.file_name(), where.line(), where.function_name(),
               condition, message.empty() ? "" : ": ", message);
    std::fflush(stderr);
    std::abort();
}

}  // namespace fencepost
