// Gas limit for a call: the chain's estimate plus a margin, because the state may have changed when the call is mined.
#pragma once

#include <cstdint>

#include "evm/endpoints/rpc.hpp"

namespace fencepost::evm {

struct GasOptions {
    std::uint64_t factor_permille = 1200;
};

class GasEstimator {
public:
    GasEstimator(Rpc& rpc, GasOptions options);

    /// The margin never exceeds the block gas limit. Reverted and Unaffordable only when the node says so about this
    /// call; any other error stays an error.
    [[nodiscard]] Task<RpcResult<GasEstimate>> estimate(Call call, At at, Evidence evidence = {});

private:
    [[nodiscard]] Gas with_margin(std::uint64_t estimate, std::uint64_t block_limit) const;

    Rpc& rpc_;
    GasOptions options_;
};

}  // namespace fencepost::evm
