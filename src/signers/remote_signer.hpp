// Keys that live in another service, the business's own or a Web3Signer or Clef, which is asked with
// eth_signTransaction. It is trusted with keys, not with our nonces and money: what it answers is used only after it
// was decoded and found to be what was asked for.
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

/// One belongs to one thread. Signs for the accounts that the other side last named to refresh(); before that, for
/// none.
class RemoteSigner final : public Signer {
public:
    explicit RemoteSigner(jsonrpc::JsonRpc& rpc, RemoteSignerOptions options = {}) : rpc_(rpc), options_(options) {}

    /// Asks which accounts it signs for (eth_accounts): at start, and now and then. When that fails the accounts stay
    /// as they were.
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
