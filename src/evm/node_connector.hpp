// Sends through a node that holds the keys (eth_sendTransaction signs and sends in one call). With a signer for the
// same key (such as the node's eth_signTransaction), it can also derive the hash of what it was asked to send.
#pragma once

#include <set>
#include <string>

#include "base/time.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/sending_connector.hpp"

namespace fencepost::evm {

struct NodeConnectorOptions {
    std::string name = "connector";
    /// The submitters whose keys the node holds.
    std::set<SubmitterId> submitters{};
    Duration time_limit = std::chrono::seconds(10);
};

/// Each instance belongs to one thread.
class NodeConnector final : public SendingConnector {
public:
    /// `same_key` signs deterministically with the same key; without it, hashes cannot be derived.
    NodeConnector(jsonrpc::JsonRpc& rpc, Signer* same_key, NodeConnectorOptions options);

    [[nodiscard]] const std::string& name() const override { return options_.name; }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override {
        return options_.submitters.contains(submitter);
    }
    /// No node of this family supports lookup by account and nonce.
    [[nodiscard]] ConnectorAbilities abilities() const override {
        return {.hash_recomputation = same_key_ != nullptr, .query_by_nonce = false};
    }

    [[nodiscard]] Task<ConnectorAnswer> send(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) override;
    [[nodiscard]] Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) override;

private:
    [[nodiscard]] Task<jsonrpc::Answer> ask(jsonrpc::Request request);

    jsonrpc::JsonRpc& rpc_;
    Signer* same_key_;
    NodeConnectorOptions options_;
};

}  // namespace fencepost::evm
