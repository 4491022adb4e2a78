// Runs one task to its end, for subcommands that work sequentially.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/assert.hpp"
#include "base/async/task.hpp"

namespace fencepost {

/// Returns or throws what the task does. Nothing else may run on the context.
template <typename T>
T run_task(asio::io_context& context, Task<T> task) {
    context.restart();
    if constexpr (std::is_void_v<T>) {
        asio::co_spawn(context, std::move(task), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);
        });
        context.run();
    } else {
        std::optional<T> answer;
        asio::co_spawn(context, std::move(task), [&answer](const std::exception_ptr& error, T result) {
            if (error) std::rethrow_exception(error);
            answer = std::move(result);
        });
        context.run();
        FP_ASSERT(answer.has_value());
        return *std::move(answer);
    }
}

}  // namespace fencepost
