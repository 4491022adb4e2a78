// Runs a task that completes without waiting, such as a read of SimDatabase::truth(), from plain functions such as the
// checkers.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/assert.hpp"
#include "base/async/task.hpp"

namespace fencepost::sim {

template <typename T>
Task<void> keep_answer(Task<T> task, std::optional<T>* answer) {
    answer->emplace(co_await std::move(task));
}

template <typename T>
[[nodiscard]] T run_now(Task<T> task) {
    // One context for all calls: checkers call this after every step, and creating one takes longer than most reads.
    static thread_local asio::io_context context(1);
    context.restart();
    std::optional<T> answer;
    asio::co_spawn(context, keep_answer(std::move(task), &answer), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    FP_ASSERT(answer.has_value(), "the task did not complete without waiting");
    return *std::move(answer);
}

}  // namespace fencepost::sim
