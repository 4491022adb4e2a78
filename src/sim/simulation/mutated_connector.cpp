#include "sim/simulation/mutated_connector.hpp"

#include <utility>

namespace fencepost::sim {

// Mistaken reasoning: "it timed out, so it did not arrive; send again with a new nonce".
Task<ConnectorAnswer> MutatedConnector::send(UnsignedTransaction transaction) {
    auto answer = co_await connector_.send(transaction);
    if (mutant_ != Mutant::connector_renonce_on_timeout || answer.outcome != SendOutcome::unknown) co_return answer;
    transaction.nonce = transaction.nonce.next();
    co_return co_await connector_.send(std::move(transaction));
}

// Mistaken reasoning: "it has our nonce, so it is ours".
Task<RpcResult<bool>> MutatedConnector::is_same(TxHash hash, UnsignedTransaction transaction) {
    auto same = co_await connector_.is_same(hash, std::move(transaction));
    if (same && mutant_ == Mutant::connector_found_tx_not_compared) co_return true;
    co_return same;
}

}  // namespace fencepost::sim
