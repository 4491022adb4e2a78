// Identifies the chain of an external node.
#pragma once

#include <cstdint>

#include "domain/ids.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::demo {

struct RemoteChain {
    std::uint64_t id = 0;
    BlockHash genesis;
    /// Whether it is a `fencepost devchain`, which has its own contracts and runs no others.
    bool is_devchain = false;
};

/// Queries the node and waits for the answer. Throws StartupError when there is none.
[[nodiscard]] RemoteChain ask_chain(const jsonrpc::Url& url);

}  // namespace fencepost::demo
