// Several signers behind one interface: for example key files for some submitters and an HSM for others.
#pragma once

#include <functional>
#include <vector>

#include "ports/signer.hpp"

namespace fencepost::signers {

/// Each submitter uses the first signer that can sign for it. The signers must outlive this object.
class SignerSet final : public Signer {
public:
    explicit SignerSet(std::vector<std::reference_wrapper<Signer>> signers);

    [[nodiscard]] bool can_sign_for(const SubmitterId& submitter) const override;
    [[nodiscard]] Task<Result<SignedTransaction, SignError>> sign(UnsignedTransaction transaction) override;

private:
    [[nodiscard]] Signer* signer_for(const SubmitterId& submitter) const;

    std::vector<std::reference_wrapper<Signer>> signers_;
};

}  // namespace fencepost::signers
