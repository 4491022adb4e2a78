// Signs through a remote service (Web3Signer, Clef or the operator's own) with eth_signTransaction. The service is
// trusted with keys, not with nonces and money: its answer is decoded and compared with the request before use.
#pragma once

#include <set>

#include "base/time.hpp"
#include "domain/address.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

struct RemoteSignerOptions {
    Duration time_limit = std::chrono::seconds(5);
};

/// Each instance belongs to one thread. Signs for the accounts that the last refresh() returned; before that, for none.
class RemoteSigner final : public Signer {
public:
    explicit RemoteSigner(jsonrpc::JsonRpc& rpc, RemoteSignerOptions options = {}) : rpc_(rpc), options_(options) {}

    /// Asks for the signer's accounts (eth_accounts), at start and periodically. On failure the accounts stay
    /// unchanged.
    [[nodiscard]] Task<Status<SignError>> refresh();

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override;
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    [[nodiscard]] Task<Result<boost::json::value, SignError>> ask(jsonrpc::Request request);

    jsonrpc::JsonRpc& rpc_;
    RemoteSignerOptions options_;
    std::set<Address> accounts_;
};

}  // namespace fencepost::signers
