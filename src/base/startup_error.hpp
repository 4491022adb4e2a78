// The exception for a failed start: one sentence for the operator, with the cause and the remedy. Only this and
// cancellation are thrown.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "base/result.hpp"

namespace fencepost {

/// what() is that sentence, without the program's name and without a full stop.
class StartupError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns the value, or throws the error text as a StartupError.
template <typename T>
T or_throw(Result<T, std::string> result) {
    if (!result) throw StartupError(result.error());
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace fencepost
