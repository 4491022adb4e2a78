// On-demand queries for investigating a transaction: is a hash known, what is pending at a nonce, why did it fail.
#pragma once

#include <string>

#include "domain/address.hpp"
#include "evm/endpoints/rpc.hpp"

namespace fencepost::evm {

class Diagnosis {
public:
    explicit Diagnosis(Rpc& rpc) : rpc_(rpc) {}

    /// A sighting in a block wins over one in a mempool. Empty when no endpoint that answered knows the hash.
    [[nodiscard]] Task<RpcResult<std::optional<TxLocation>>> find(TxHash hash);

    /// Searches the mempools of all endpoints that expose them (txpool_contentFrom). When none does, searches the next
    /// block that an endpoint would build; absence there proves nothing, so the result is then `unsupported`.
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> pending_at(Address account, Nonce nonce);

    /// Replays the transaction on the state before its block. The replay does not see earlier transactions of the same
    /// block: if one of them caused the failure, the replay succeeds and the result says that no reason was found.
    /// Needs an endpoint that keeps this state; an error when none does.
    [[nodiscard]] Task<RpcResult<std::string>> failure_reason(Receipt receipt);

private:
    [[nodiscard]] Task<std::optional<TxHash>> in_next_block(Address account, Nonce nonce);
    [[nodiscard]] Task<RpcResult<boost::json::value>> mined_transaction(Receipt receipt);

    Rpc& rpc_;
};

}  // namespace fencepost::evm
