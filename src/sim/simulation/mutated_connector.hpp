// A node's access to the connector, exact unless the run has a mutant that breaks it.
#pragma once

#include <utility>

#include "sim/chain/sim_connector.hpp"
#include "sim/simulation/mutant.hpp"

namespace fencepost::sim {

class MutatedConnector final : public SendingConnector {
public:
    MutatedConnector(SimNode& node, SimKeyHolder& holder, Mutant mutant) : connector_(node, holder), mutant_(mutant) {}

    [[nodiscard]] const std::string& name() const override { return connector_.name(); }
    [[nodiscard]] bool sends_for(const SubmitterId& submitter) const override {
        return connector_.sends_for(submitter);
    }
    [[nodiscard]] ConnectorAbilities abilities() const override { return connector_.abilities(); }
    [[nodiscard]] Task<ConnectorAnswer> send(UnsignedTransaction transaction) override;
    [[nodiscard]] Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) override {
        return connector_.hash_of(std::move(transaction));
    }
    [[nodiscard]] Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) override {
        return connector_.sent_at(std::move(submitter), nonce);
    }
    [[nodiscard]] Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) override;

private:
    SimConnector connector_;
    Mutant mutant_;
};

}  // namespace fencepost::sim
