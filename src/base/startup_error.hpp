// A service that cannot start says so once, to a person: what is wrong and what to do about it, in one sentence. This
// and cancellation are the only things thrown.
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

/// The value, or the sentence that says why there is none, thrown.
template <typename T>
T or_throw(Result<T, std::string> result) {
    if (!result) throw StartupError(result.error());
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace fencepost
