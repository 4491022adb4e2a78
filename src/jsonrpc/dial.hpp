// Private to src/jsonrpc: resolves a host name and opens a connection.
#pragma once

#include <cstdint>
#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/clock.hpp"

namespace fencepost::jsonrpc {

using Socket = asio::ip::tcp::socket;

/// Resolves the name and tries its addresses in turn. Each gets a share of the time, so that an unreachable address
/// family cannot use it all. Cancellation takes effect even while a name server does not answer.
[[nodiscard]] Task<Result<Socket, Failure>> dial(Executor executor, Clock* clock, std::string host, std::uint16_t port,
                                                 Instant deadline);

}  // namespace fencepost::jsonrpc
