// eth_signTransaction as text: what is asked, and what may come back.
#pragma once

#include <boost/json/value.hpp>

#include "jsonrpc/json_rpc.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

/// For what codec::is_evm_transaction takes.
[[nodiscard]] jsonrpc::Request sign_request(const UnsignedTransaction& wanted);

/// The signed bytes, taken apart and found to be `wanted`, signed by its sender. A mismatch otherwise; its sentence
/// names the field that differs, and never repeats an answer that is no transaction.
[[nodiscard]] Result<SignedTransaction, SignError> check_signed(const boost::json::value& answer,
                                                                const UnsignedTransaction& wanted);

}  // namespace fencepost::signers
