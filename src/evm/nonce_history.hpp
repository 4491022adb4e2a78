// Finds the transaction that consumed a nonce, which proves whether a key is used outside Fencepost (law 5). The count
// of an account only rises, so bisection finds the block where it passed the nonce; the requirements scan only the last
// 100 blocks and find nothing older. A pruned node (most keep state for about 128 blocks) has no old counts; below
// that, blocks are read one by one, up to a limit.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

struct NonceHistoryOptions {
    /// Maximum number of blocks read where counts are unavailable.
    std::size_t scan_blocks = 256;
    std::size_t scan_batch = 16;
    /// Counts per request: 15 divide the search range by 16.
    std::size_t bisect_batch = 15;
};

class NonceHistory {
public:
    NonceHistory(Rpc& rpc, NonceHistoryOptions options) : rpc_(rpc), options_(options) {}

    /// After the first request only endpoints at least as high as the one that reported the nonce consumed are used.
    /// `by` is a transaction of this account at this nonce, or empty; `where` may name a block without such a
    /// transaction, because an EIP-7702 authorization consumes a nonce as well. A chain that changes during the search
    /// gives `no_evidence`: ask again.
    [[nodiscard]] Task<RpcResult<NonceUse>> find_nonce_use(Address account, Nonce nonce);

private:
    struct Query {
        Address account;
        Nonce nonce;
        BlockNumber head;
    };
    // Whether the count at a block is past the nonce; empty where the node no longer has the state.
    using PastAt = std::optional<bool>;
    // Past the nonce at `high`, not yet at `low`; without `low` the lower bound is unknown.
    struct Bounds {
        std::optional<BlockNumber> low;
        BlockNumber high;
    };

    [[nodiscard]] Task<RpcResult<std::optional<BlockNumber>>> consumed_by(Address account, Nonce nonce);
    [[nodiscard]] Task<RpcResult<std::vector<PastAt>>> past_at(Query query, std::vector<BlockNumber> blocks);
    [[nodiscard]] Task<RpcResult<Bounds>> exponential_search(Query query);
    [[nodiscard]] Task<RpcResult<Bounds>> bisect(Query query, Bounds bounds);
    [[nodiscard]] Task<RpcResult<NonceUse>> identify_in(Query query, BlockNumber block);
    [[nodiscard]] Task<RpcResult<NonceUse>> scan(Query query, BlockNumber from);

    Rpc& rpc_;
    NonceHistoryOptions options_;
};

}  // namespace fencepost::evm
