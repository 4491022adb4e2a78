// Which transaction consumed a nonce, by name: the one question that decides whether a key is used by someone else
// (law 5). The count of an account only rises, so the block where it passed the nonce is found by bisection; the seeds
// look through the last 100 blocks instead, and find nothing older. A node without old state (most keep about 128
// blocks of it) cannot be asked for an old count; below what it keeps, blocks are read one by one, as far as allowed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "evm/endpoints/rpc.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

struct NonceHistoryOptions {
    /// So many blocks are read at most where counts are not to be had.
    std::size_t scan_blocks = 256;
    std::size_t scan_batch = 16;
    /// So many counts are asked for at once: 15 divide the search by 16.
    std::size_t bisect_batch = 15;
};

class NonceHistory {
public:
    NonceHistory(Rpc& rpc, NonceHistoryOptions options) : rpc_(rpc), options_(options) {}

    /// Everything after the first question is asked of endpoints at least as high as the one that showed the nonce
    /// consumed. `by` is a transaction of this account at this nonce or nothing; `where` may name the block although
    /// no such transaction is in it: an authorization of EIP-7702 uses up a nonce, too. A chain that moves under the
    /// search gives `no_evidence`: ask again.
    [[nodiscard]] Task<RpcResult<NonceUse>> use_of(Address account, Nonce nonce);

private:
    struct Query {
        Address account;
        Nonce nonce;
        BlockNumber head;
    };
    // The count at a block: whether it is past the nonce; nothing where the node has no such state any more.
    using PastAt = std::optional<bool>;
    // Past the nonce at `high`, not yet at `low`; without `low` that is not known.
    struct Bounds {
        std::optional<BlockNumber> low;
        BlockNumber high;
    };

    [[nodiscard]] Task<RpcResult<std::optional<BlockNumber>>> consumed_by(Address account, Nonce nonce);
    [[nodiscard]] Task<RpcResult<std::vector<PastAt>>> past_at(Query query, std::vector<BlockNumber> blocks);
    [[nodiscard]] Task<RpcResult<Bounds>> gallop(Query query);
    [[nodiscard]] Task<RpcResult<Bounds>> bisect(Query query, Bounds bounds);
    [[nodiscard]] Task<RpcResult<NonceUse>> name_in(Query query, BlockNumber block);
    [[nodiscard]] Task<RpcResult<NonceUse>> scan(Query query, BlockNumber from);

    Rpc& rpc_;
    NonceHistoryOptions options_;
};

}  // namespace fencepost::evm
