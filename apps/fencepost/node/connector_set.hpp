// The nodes that hold keys, of all chains that have one, as one thread asks them: each submitter's go to its own.
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

    /// Learns for whom they also only sign, by which they tell hashes. Until it is cancelled.
    [[nodiscard]] Task<void> run();

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override { return find(submitter) != nullptr; }
    /// What all of them are able to: there is one answer for many.
    [[nodiscard]] ConnectorAbilities abilities() const override;

    // Of submitters that one of them sends for.
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
