// Signs a transaction with a local key and returns the signed bytes and their hash.
#pragma once

#include "codec/signature.hpp"
#include "codec/transaction.hpp"
#include "ports/signer.hpp"

namespace fencepost::codec {

[[nodiscard]] SignedTransaction sign(const Transaction& transaction, const PrivateKey& key);

/// `wanted` must satisfy is_evm_transaction. FP_ASSERTs that the key belongs to the submitter.
[[nodiscard]] SignedTransaction sign(const UnsignedTransaction& wanted, const PrivateKey& key);

}  // namespace fencepost::codec
