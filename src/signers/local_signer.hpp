// Signs with keys that this process holds, whatever they came from.
#pragma once

#include <map>
#include <vector>

#include "codec/signature.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

/// A key signs for its address on every EVM chain. Signing takes about 50 µs and is done where it is asked for. May be
/// used from several threads at once: nothing changes after construction.
class LocalSigner final : public Signer {
public:
    /// Of two keys of one address one is kept.
    explicit LocalSigner(std::vector<codec::PrivateKey> keys);

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override;
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    std::map<Address, codec::PrivateKey> keys_;
};

}  // namespace fencepost::signers
