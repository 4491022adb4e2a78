// The key-holding nodes of all chains, as one connector: routes each submitter's transactions to its own node.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "evm/node_connector.hpp"
#include "jsonrpc/http_json_rpc.hpp"
#include "ports/clock.hpp"
#include "ports/sending_connector.hpp"
#include "signers/remote_signer.hpp"

namespace fencepost::node {

class ConnectorSet final : public SendingConnector {
public:
    ConnectorSet(const Executor& executor, Clock& clock, const std::vector<config::ChainConfig>& chains);

    /// Learns for which accounts they can also sign without sending, which reveals the hash. Runs until it is
    /// cancelled.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override { return find(submitter) != nullptr; }
    /// The abilities that all of them have, because there is one answer for all.
    [[nodiscard]] ConnectorAbilities abilities() const override;

    // For submitters that one of them sends for.
    [[nodiscard]] Task<ConnectorAnswer> send(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) override;
    [[nodiscard]] Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) override;

private:
    struct Member {
        jsonrpc::HttpJsonRpc rpc;
        signers::RemoteSigner same_key;
        evm::NodeConnector connector;

        Member(const Executor& executor, Clock& clock, const config::ChainConfig& chain);
    };

    [[nodiscard]] evm::NodeConnector* find(const SubmitterId& submitter) const;
    [[nodiscard]] evm::NodeConnector& of(const SubmitterId& submitter) const;

    Clock& clock_;
    std::string name_ = "connector";
    std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace fencepost::node
