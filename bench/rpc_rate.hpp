// How many JSON-RPC calls per second our client makes, in batches of 100, of a stub on loopback.
#pragma once

#include "base/time.hpp"

namespace fencepost::bench {

/// Runs for about so long. Client and stub share one thread, so this is what one core does for both; the stub sends a
/// prepared answer and takes little of it. Throws std::runtime_error when a call is not answered.
[[nodiscard]] double measure_rpc_calls_per_second(Duration how_long);

}  // namespace fencepost::bench
