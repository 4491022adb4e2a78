// Suggests fees for a transaction. It queries the market at most once per block, however many lanes ask: concurrent
// callers share one request.
#pragma once

#include <memory>

#include "evm/endpoints/rpc.hpp"
#include "evm/fees/fee_quote.hpp"

namespace fencepost::evm {

class FeeOracle {
public:
    /// Uses legacy prices when the chain has no eth_feeHistory or no base fee.
    FeeOracle(Rpc& rpc, const FeeOptions& options);
    ~FeeOracle();
    FeeOracle(const FeeOracle&) = delete;
    FeeOracle& operator=(const FeeOracle&) = delete;

    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed speed);
    /// Invalidates fees of the previous head. Before the first head nothing is cached.
    void on_head(const BlockRef& head);

private:
    struct Round;
    struct State;
    class Leader;
    class Follower;

    [[nodiscard]] Task<RpcResult<FeeQuote>> ask();
    [[nodiscard]] Task<RpcResult<FeeQuote>> ask_eip1559();
    [[nodiscard]] Task<RpcResult<FeeQuote>> ask_legacy();

    Rpc& rpc_;
    FeeOptions options_;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::evm
