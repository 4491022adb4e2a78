// Questions that are asked when something is odd: is this hash known, what waits at this nonce, why did it fail.
#pragma once

#include <string>

#include "domain/address.hpp"
#include "evm/endpoints/rpc.hpp"

namespace fencepost::evm {

class Diagnosis {
public:
    explicit Diagnosis(Rpc& rpc) : rpc_(rpc) {}

    /// A block is better than a mempool. Nothing when those endpoints that answered do not know it.
    [[nodiscard]] Task<RpcResult<std::optional<Sighting>>> find(TxHash hash);

    /// Over the mempools of all endpoints that show theirs (txpool_contentFrom). Where none does, what it would put
    /// into its next block is looked at; what is not there may wait all the same, so that then it is `unsupported`.
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> pending_at(Address account, Nonce nonce);

    /// Runs the transaction again on the state that its block began with. So it does not see what stood before it in
    /// the same block: if it failed because of that, it succeeds now, and the answer says that no reason was found.
    /// Needs an endpoint that keeps that state; where none does, this is an error.
    [[nodiscard]] Task<RpcResult<std::string>> failure_reason(Receipt receipt);

private:
    [[nodiscard]] Task<std::optional<TxHash>> in_next_block(Address account, Nonce nonce);
    [[nodiscard]] Task<RpcResult<boost::json::value>> mined_transaction(Receipt receipt);

    Rpc& rpc_;
};

}  // namespace fencepost::evm
