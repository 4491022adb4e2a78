// Runs one task to completion in virtual time.
#pragma once

#include <optional>
#include <utility>

#include "base/assert.hpp"
#include "base/async/task.hpp"
#include "sim/world.hpp"

namespace fencepost::evm::test {

template <typename T>
Task<void> keep_result(Task<T> task, std::optional<T>* result) {
    *result = co_await std::move(task);
}

template <typename T>
T run(Task<T> task) {
    sim::World world(1);
    std::optional<T> result;
    world.spawn(world.start_node("node"), keep_result(std::move(task), &result));
    world.run_for(std::chrono::hours(1));
    FP_ASSERT(result.has_value(), "the task did not end within an hour");
    return std::move(*result);
}

}  // namespace fencepost::evm::test
