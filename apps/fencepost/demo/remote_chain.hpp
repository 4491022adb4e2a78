// Which chain it is that somebody else's node serves.
#pragma once

#include <cstdint>

#include "domain/ids.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::demo {

struct RemoteChain {
    std::uint64_t id = 0;
    BlockHash genesis;
    /// Whether it is one of `fencepost devchain`, which has contracts of its own and runs no other.
    bool is_ours = false;
};

/// Asks, and waits for the answer. Throws StartupError when there is none.
[[nodiscard]] RemoteChain ask_chain(const jsonrpc::Url& url);

}  // namespace fencepost::demo
