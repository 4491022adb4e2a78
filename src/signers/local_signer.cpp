// Finds the key of a submitter and signs with it.
#include "signers/local_signer.hpp"

#include <utility>

#include "codec/from_port.hpp"
#include "codec/sign.hpp"
#include "signers/sign_errors.hpp"

namespace fencepost::signers {

LocalSigner::LocalSigner(std::vector<codec::PrivateKey> keys) {
    for (auto& key : keys) {
        const auto address = key.address();
        keys_.emplace(address, std::move(key));
    }
}

bool LocalSigner::can_sign_for(const SubmitterId& submitter) const {
    const auto address = submitter.evm_address();
    return address && keys_.contains(*address);
}

Task<Result<SignedTransaction, SignError>> LocalSigner::sign(UnsignedTransaction transaction) {
    if (!can_sign_for(transaction.from)) co_return err(no_key(transaction.from));
    if (const auto evm = codec::is_evm_transaction(transaction); !evm) co_return err(not_signable(evm.error()));
    co_return codec::sign(transaction, keys_.at(*transaction.from.evm_address()));
}

}  // namespace fencepost::signers
