// A Task is a coroutine that runs on one executor and starts when it is awaited or spawned. Tasks are named functions
// that take their parameters by value. A task is awaited by its caller or owned by a TaskGroup; none is detached.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace fencepost {

namespace asio = boost::asio;

template <typename T>
using Task = asio::awaitable<T>;

/// What runs tasks: an io_context in the service, a simulated node in virtual time.
using Executor = asio::any_io_executor;

}  // namespace fencepost
