// Signs with keys held in this process, from any source.
#pragma once

#include <map>
#include <vector>

#include "codec/signature.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

/// A key signs for its address on every EVM chain. Signing takes about 50 µs and runs on the caller's thread. Safe to
/// use from several threads: nothing changes after construction.
class LocalSigner final : public Signer {
public:
    /// Of duplicate keys one is kept.
    explicit LocalSigner(std::vector<codec::PrivateKey> keys);

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override;
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    std::map<Address, codec::PrivateKey> keys_;
};

}  // namespace fencepost::signers
