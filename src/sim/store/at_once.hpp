// What a task answers that waits for nothing, such as one of the truth of a simulated database: for checkers, which are
// plain functions.
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
[[nodiscard]] T at_once(Task<T> task) {
    // One for all: checkers ask after every step, and to make one takes longer than most questions.
    static thread_local asio::io_context context(1);
    context.restart();
    std::optional<T> answer;
    asio::co_spawn(context, keep_answer(std::move(task), &answer), [](const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    FP_ASSERT(answer.has_value(), "a task that was to answer at once waits");
    return *std::move(answer);
}

}  // namespace fencepost::sim
