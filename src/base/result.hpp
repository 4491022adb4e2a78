// Expected outcomes are values. A function that can fail in a way its caller must handle returns a Result with a closed
// error type; exceptions are for start-up failure and cancellation only, and none crosses a port.
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

/// Why a piece of text from outside could not be understood, as one sentence for the person who wrote it.
struct ParseError {
    std::string what;
    friend bool operator==(const ParseError&, const ParseError&) = default;
};

}  // namespace fencepost
