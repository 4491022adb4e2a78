// Expected outcomes are values: a function that can fail in a way its caller must handle returns a Result with a closed
// error type. Exceptions are for start-up failure and cancellation only, and none crosses a port.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace fencepost {

template <typename T, typename E>
using Result = std::expected<T, E>;

/// Success without a value, or an error.
template <typename E>
using Status = std::expected<void, E>;

template <typename E>
[[nodiscard]] constexpr auto err(E&& error) {
    return std::unexpected<std::decay_t<E>>(std::forward<E>(error));
}

/// Why external text could not be parsed, as one sentence for its author.
struct ParseError {
    std::string what;
    friend bool operator==(const ParseError&, const ParseError&) = default;
};

}  // namespace fencepost
