// Programming errors must stop the process before it can write or send anything: these assertions stay on in release
// builds. Expected outcomes (fenced, not found, refused by a node) are never asserted; they are Results.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace fencepost {

/// Sets a callback whose text is printed with a failing assertion on this thread: the simulator adds its seed and
/// virtual time. Empty disables it.
void set_assertion_note(std::function<std::string()> note);

/// Prints location and condition to stderr and aborts.
[[noreturn]] void assertion_failed(std::string_view condition, std::string_view message,
                                   const std::source_location& where = std::source_location::current());

template <typename... Args>
std::string assertion_message(fmt::format_string<Args...> format, Args&&... args) {
    return fmt::format(format, std::forward<Args>(args)...);
}
inline std::string assertion_message() { return {}; }

}  // namespace fencepost

/// FP_ASSERT(condition) or FP_ASSERT(condition, "format {}", args…). The message is built only on failure.
#define FP_ASSERT(condition, ...)                                                                   \
    do {                                                                                            \
        if (!(condition)) [[unlikely]] {                                                            \
            ::fencepost::assertion_failed(#condition, ::fencepost::assertion_message(__VA_ARGS__)); \
        }                                                                                           \
    } while (false)

/// For the end of a switch over a closed enum.
#define FP_UNREACHABLE() ::fencepost::assertion_failed("unreachable", "")
