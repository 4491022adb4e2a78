// Encodes eth_signTransaction requests and verifies the answers.
#pragma once

#include <boost/json/value.hpp>

#include "jsonrpc/json_rpc.hpp"
#include "ports/signer.hpp"

namespace fencepost::signers {

/// `wanted` must satisfy codec::is_evm_transaction.
[[nodiscard]] jsonrpc::Request sign_request(const UnsignedTransaction& wanted);

/// The signed bytes, decoded and verified to be `wanted`, signed by its sender. Otherwise a mismatch that names the
/// field that differs; it never quotes an answer that is not a transaction.
[[nodiscard]] Result<SignedTransaction, SignError> check_signed(const boost::json::value& answer,
                                                                const UnsignedTransaction& wanted);

}  // namespace fencepost::signers
