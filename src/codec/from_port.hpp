// Converts between the lane's transaction and Ethereum's.
#pragma once

#include "base/result.hpp"
#include "codec/transaction.hpp"
#include "ports/signer.hpp"

namespace fencepost::codec {

/// Precondition of to_transaction: the submitter is an EVM account, the destination an address.
[[nodiscard]] Status<ParseError> is_evm_transaction(const UnsignedTransaction& wanted);

/// A legacy fee makes a legacy transaction of the submitter's chain (EIP-155), a dynamic one an EIP-1559 transaction.
/// FP_ASSERTs is_evm_transaction.
[[nodiscard]] Transaction to_transaction(const UnsignedTransaction& wanted);

/// Whether `decoded`, from an external signer, is the requested transaction, signed by the submitter. The error names
/// the first field that differs, with both values.
[[nodiscard]] Status<ParseError> same_transaction(const Decoded& decoded, const UnsignedTransaction& wanted);

}  // namespace fencepost::codec
