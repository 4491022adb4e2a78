// What a transaction should offer now. The market is asked at most once per block however many lanes want to know:
// whoever comes while a question is under way waits for its answer.
#pragma once

#include <memory>

#include "evm/endpoints/rpc.hpp"
#include "evm/fees/fee_quote.hpp"

namespace fencepost::evm {

class FeeOracle {
public:
    /// A chain that turns out to have no eth_feeHistory, or blocks without a base fee, is served with legacy prices.
    FeeOracle(Rpc& rpc, const FeeOptions& options);
    ~FeeOracle();
    FeeOracle(const FeeOracle&) = delete;
    FeeOracle& operator=(const FeeOracle&) = delete;

    [[nodiscard]] Task<RpcResult<Fees>> fees(Speed speed);
    /// What was learnt at another head is stale. Until the first head is told nothing is kept.
    void on_head(const BlockRef& head);

private:
    struct Round;
    struct State;
    class Lead;
    class Seat;

    [[nodiscard]] Task<RpcResult<FeeQuote>> ask();
    [[nodiscard]] Task<RpcResult<FeeQuote>> ask_legacy();

    Rpc& rpc_;
    FeeOptions options_;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::evm
