// For a step that is not expected to throw, in something that must go on when it does: the exception becomes a value.
// Not for steps that need a clean-up also when their caller was cancelled before they began: those catch by themselves.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "base/async/cancellation.hpp"
#include "base/async/task.hpp"
#include "base/result.hpp"

namespace fencepost {

/// The outcome of `step`, or what it threw. The cancellation of the caller is thrown on.
template <typename T>
[[nodiscard]] Task<Result<T, std::exception_ptr>> caught(Task<T> step) {
    std::exception_ptr error;
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(step);
            co_return Result<void, std::exception_ptr>{};
        } else {
            co_return co_await std::move(step);
        }
    } catch (...) {
        error = std::current_exception();
    }
    co_await throw_on_if_cancelled(error);
    co_return err(error);
}

/// What an exception says of itself.
[[nodiscard]] std::string what_of(const std::exception_ptr& error);

}  // namespace fencepost
