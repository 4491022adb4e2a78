// Between the transaction that the lane hands to a signer and the one that Ethereum knows.
#pragma once

#include "base/result.hpp"
#include "codec/transaction.hpp"
#include "ports/signer.hpp"

namespace fencepost::codec {

/// Whether to_transaction can be asked: the submitter is an account of an EVM chain, the destination an address.
[[nodiscard]] Status<ParseError> is_evm_transaction(const UnsignedTransaction& wanted);

/// A legacy fee makes a legacy transaction of the submitter's chain (EIP-155), a dynamic one an EIP-1559 transaction.
/// To ask for what is_evm_transaction refuses is a programmer's mistake.
[[nodiscard]] Transaction to_transaction(const UnsignedTransaction& wanted);

/// Whether `decoded`, from a signer that is not ours, is what it was asked to sign, signed by the submitter. The error
/// names the first field that differs, with both values.
[[nodiscard]] Status<ParseError> same_transaction(const Decoded& decoded, const UnsignedTransaction& wanted);

}  // namespace fencepost::codec
