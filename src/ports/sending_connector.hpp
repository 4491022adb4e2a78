// Chains whose node, or a service before it, holds the key: it is asked to sign and to send in one
// (eth_sendTransaction), so that neither bytes nor hash are known before they may be on their way. What is lost here is
// not known to be lost: that is what the grey zone is for (lane/broadcast/grey_zone.hpp).
#pragma once

#include <optional>
#include <string>

#include "base/async/task.hpp"
#include "domain/window/send_outcome.hpp"
#include "ports/chain.hpp"
#include "ports/signer.hpp"

namespace fencepost {

struct ConnectorAbilities {
    /// It can tell the hash of what it was asked to send, without sending it: it signs deterministically.
    bool hash_recomputation = true;
    /// It can tell what it sent at a nonce.
    bool query_by_nonce = false;
};

struct ConnectorAnswer {
    SendOutcome outcome = SendOutcome::unknown;
    /// There exactly when it is accepted.
    std::optional<TxHash> hash{};
    std::string message{};
};

/// What an implementation promises:
/// - a request is made once; send() never fails: what is not certain is `unknown`, also an acceptance without a hash;
/// - what it is asked to send is sent as it is, nonce included, or not at all;
/// - every call ends within its time limit; an error is never "no".
class SendingConnector {
public:
    virtual ~SendingConnector() = default;

    /// What it is called where its answers are reported.
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual bool sends_for(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual ConnectorAbilities abilities() const = 0;

    [[nodiscard]] virtual Task<ConnectorAnswer> send(UnsignedTransaction transaction) = 0;
    /// Which hash it has if it was sent. Asked only of one that is able to.
    [[nodiscard]] virtual Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) = 0;
    /// What it sent at this nonce, if anything. Asked only of one that is able to.
    [[nodiscard]] virtual Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) = 0;
    /// Whether the transaction with this hash, which a node of the chain has, is this one, field by field.
    [[nodiscard]] virtual Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) = 0;
};

}  // namespace fencepost
