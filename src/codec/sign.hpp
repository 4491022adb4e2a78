// A transaction in, its signed bytes and their hash out, where we hold the key.
#pragma once

#include "codec/signature.hpp"
#include "codec/transaction.hpp"
#include "ports/signer.hpp"

namespace fencepost::codec {

[[nodiscard]] SignedTransaction sign(const Transaction& transaction, const PrivateKey& key);

/// For what is_evm_transaction takes. The key must be the submitter's: another is a programmer's mistake.
[[nodiscard]] SignedTransaction sign(const UnsignedTransaction& wanted, const PrivateKey& key);

}  // namespace fencepost::codec
