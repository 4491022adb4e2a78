// A completion token for Asio operations whose failure is an expected outcome: the error is returned as a value.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace fencepost {

inline constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace fencepost
