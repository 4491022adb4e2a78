// The port for nodes or services that hold the key: they sign and send in one call (eth_sendTransaction), so neither
// bytes nor hash are known before the transaction may have been sent. A lost answer leaves the result open;
// lane/broadcast/grey_zone.hpp resolves it.
#pragma once

#include <optional>
#include <string>

#include "base/async/task.hpp"
#include "domain/window/send_outcome.hpp"
#include "ports/chain.hpp"
#include "ports/signer.hpp"

namespace fencepost {

struct ConnectorAbilities {
    /// It can compute the hash of a transaction without sending it, because it signs deterministically.
    bool hash_recomputation = true;
    /// It can report what it sent at a nonce.
    bool query_by_nonce = false;
};

struct ConnectorAnswer {
    SendOutcome outcome = SendOutcome::unknown;
    /// Present exactly when the outcome is `accepted`.
    std::optional<TxHash> hash{};
    std::string message{};
};

/// Contract:
/// - a request is made once; send() never fails: an uncertain result is `unknown`, also an acceptance without a hash;
/// - a transaction is sent unchanged, nonce included, or not at all;
/// - every call ends within its time limit; an error never means "no".
class SendingConnector {
public:
    virtual ~SendingConnector() = default;

    /// The name under which its answers are reported.
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual bool sends_for(const SubmitterId& submitter) const = 0;
    [[nodiscard]] virtual ConnectorAbilities abilities() const = 0;

    [[nodiscard]] virtual Task<ConnectorAnswer> send(UnsignedTransaction transaction) = 0;
    /// The hash that the transaction has if it was sent. Called only if `hash_recomputation`.
    [[nodiscard]] virtual Task<RpcResult<TxHash>> hash_of(UnsignedTransaction transaction) = 0;
    /// The hash it sent at this nonce, if any. Called only if `query_by_nonce`.
    [[nodiscard]] virtual Task<RpcResult<std::optional<TxHash>>> sent_at(SubmitterId submitter, Nonce nonce) = 0;
    /// Whether the on-chain transaction with this hash equals this one, field by field.
    [[nodiscard]] virtual Task<RpcResult<bool>> is_same(TxHash hash, UnsignedTransaction transaction) = 0;
};

}  // namespace fencepost
