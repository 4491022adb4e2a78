// How many JSON-RPC calls per second the client makes, in batches of 100, to a stub on loopback.
#pragma once

#include "base/time.hpp"

namespace fencepost::bench {

/// Runs for about this long. Client and stub share one thread, so this is the rate of one core for both; the stub sends
/// a prepared answer, which costs little. Throws std::runtime_error when a call is not answered.
[[nodiscard]] double measure_rpc_calls_per_second(Duration how_long);

}  // namespace fencepost::bench
