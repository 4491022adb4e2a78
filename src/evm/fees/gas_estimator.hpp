// A gas limit for a call: what the chain estimates, with a margin, because what the call meets when it is mined is not
// what it met in the simulation.
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

    /// The margin never raises the limit above what a block holds. Reverted and Unaffordable only where the node says
    /// so of the call; any other error is an error.
    [[nodiscard]] Task<RpcResult<GasEstimate>> estimate(Call call, At at, Evidence evidence = {});

private:
    [[nodiscard]] Gas with_margin(std::uint64_t estimate, std::uint64_t block_limit) const;

    Rpc& rpc_;
    GasOptions options_;
};

}  // namespace fencepost::evm
