// Private to src/jsonrpc: from a host's name to an open connection.
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

/// Looks the name up and tries its addresses in turn, each for its share of the time, so that an address family that
/// leads nowhere does not use it all up. A name server that does not answer holds nobody past the cancellation.
[[nodiscard]] Task<Result<Socket, Failure>> dial(Executor executor, Clock* clock, std::string host, std::uint16_t port,
                                                 Instant deadline);

}  // namespace fencepost::jsonrpc
