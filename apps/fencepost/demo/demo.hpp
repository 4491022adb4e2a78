// fencepost demo: a node with its own SQLite file, a built-in chain, publicly known keys, and a few transactions to
// watch.
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
    /// The URL of an external node; empty: the built-in chain.
    std::string rpc{};
    Duration block_time = std::chrono::seconds(1);
    std::uint64_t confirmations = 3;
    std::size_t samples = 6;
    bool quiet = false;
};

/// Runs until a signal stops it. Throws StartupError.
void run_demo(const DemoOptions& options);

}  // namespace fencepost::demo
