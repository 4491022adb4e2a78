// Fetches the blocks between a head and the known chain: by number in batches, which is fast, or by parent hash where
// the numbers lead to another branch. Either way a block counts only if it links to its child.
#pragma once

#include <cstddef>

#include "evm/endpoints/rpc.hpp"
#include "evm/heads/block_window.hpp"

namespace fencepost::evm {

class Ancestors {
public:
    /// `batch`: blocks per request.
    Ancestors(Rpc& rpc, std::size_t batch) : rpc_(rpc), batch_(batch) {}

    /// The blocks from height `lowest` up to the parent of `top`. An error when any of them is unavailable.
    [[nodiscard]] Task<RpcResult<Blocks>> below(BlockRef top, BlockNumber lowest);

private:
    [[nodiscard]] Task<RpcResult<Blocks>> step_by_number(BlockRef top, BlockNumber lowest);
    [[nodiscard]] Task<RpcResult<Blocks>> step_by_hash(BlockRef top);

    Rpc& rpc_;
    std::size_t batch_;
};

}  // namespace fencepost::evm
