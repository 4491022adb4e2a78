// A node that holds keys, over JSON-RPC: it signs and sends in one (eth_sendTransaction). Given a signer over the same
// key (a node's eth_signTransaction, say), it can also tell which hash something has that it was asked to send.
#pragma once

#include <set>
#include <string>

#include "base/time.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/sending_connector.hpp"

namespace fencepost::evm {

struct NodeConnectorOptions {
    std::string name = "connector";
    /// Whose keys it holds.
    std::set<SubmitterId> submitters{};
    Duration time_limit = std::chrono::seconds(10);
};

/// One belongs to one thread.
class NodeConnector final : public SendingConnector {
public:
    /// `same_key` signs deterministically with the same key; none: hashes cannot be derived.
    NodeConnector(jsonrpc::JsonRpc& rpc, Signer* same_key, NodeConnectorOptions options);

    [[nodiscard]] const std::string& name() const override { return options_.name; }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override {
        return options_.submitters.contains(submitter);
    }
    /// No node of this family can be asked by account and nonce.
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
