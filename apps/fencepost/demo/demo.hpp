// A first run that works: a node on a file of its own, a chain that is built in, keys that everybody knows, and a few
// transactions to watch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "http/listen_address.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::demo {

struct DemoOptions {
    http::ListenAddress listen{};
    std::string data = "data/demo";
    /// A node of somebody else's; none: the built-in chain.
    std::string rpc{};
    Duration block_time = std::chrono::seconds(1);
    std::uint64_t confirmations = 3;
    std::size_t samples = 5;
    bool quiet = false;
};

/// Until a signal stops it. Throws StartupError.
void run_demo(const DemoOptions& options);

}  // namespace fencepost::demo
