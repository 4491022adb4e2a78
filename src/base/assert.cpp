#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace fencepost {
namespace {

thread_local std::function<std::string()> assertion_note;

}  // namespace

void set_assertion_note(std::function<std::string()> note) { assertion_note = std::move(note); }

void assertion_failed(std::string_view condition, std::string_view message, const std::source_location& where) {
    fmt::print(stderr, "{}:{}: {}: assertion failed: {}{}{}{}{}\n", where.file_name(), where.line(),
               where.function_name(), condition, message.empty() ? "" : ": ", message, assertion_note ? "\n  " : "",
               assertion_note ? assertion_note() : "");
    std::fflush(stderr);
    std::abort();
}

}  // namespace fencepost
