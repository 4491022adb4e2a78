// Dispatches to the first signer that has the key.
#include "signers/signer_set.hpp"

#include <algorithm>
#include <utility>

#include "signers/sign_errors.hpp"

namespace fencepost::signers {

SignerSet::SignerSet(std::vector<std::reference_wrapper<Signer>> signers) : signers_(std::move(signers)) {}

Signer* SignerSet::signer_for(const SubmitterId& submitter) const {
    const auto can = [&submitter](const Signer& signer) { return signer.can_sign_for(submitter); };
    const auto found = std::ranges::find_if(signers_, can);
    return found == signers_.end() ? nullptr : &found->get();
}

bool SignerSet::can_sign_for(const SubmitterId& submitter) const { return signer_for(submitter) != nullptr; }

Task<Result<SignedTransaction, SignError>> SignerSet::sign(UnsignedTransaction transaction) {
    auto* signer = signer_for(transaction.from);
    if (signer == nullptr) co_return err(no_key(transaction.from));
    co_return co_await signer->sign(std::move(transaction));
}

}  // namespace fencepost::signers
