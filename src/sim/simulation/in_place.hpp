// Asks the simulated database beside virtual time, for those who watch: it answers in place.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"

namespace fencepost::sim {

template <typename T>
[[nodiscard]] T in_place(Task<T> task) {
    asio::io_context context;
    std::optional<T> result;
    asio::co_spawn(context, std::move(task), [&](const std::exception_ptr& error, T value) {
        if (error) std::rethrow_exception(error);
        result.emplace(std::move(value));
    });
    context.run();
    return *std::move(result);
}

}  // namespace fencepost::sim
