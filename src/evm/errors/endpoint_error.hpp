// Recognises errors that concern the node rather than the request: another node may well answer it. An error about the
// request is an answer, and does not count against the node (failure 4).
#pragma once

#include "base/text/enum_names.hpp"
#include "jsonrpc/json_rpc.hpp"

namespace fencepost::evm {

inline constexpr std::int64_t invalid_params = -32602;  // JSON-RPC 2.0

enum class EndpointError {
    none,
    slow_down,           // rate limit in the body of an HTTP 200 answer
    unsupported_method,  // method not supported
    missing_state,       // state missing: pruned, or not there yet
};

[[nodiscard]] EndpointError endpoint_error_of(const jsonrpc::ErrorAnswer& error);
/// `none` for a result. A Failure is not an answer of the node.
[[nodiscard]] EndpointError endpoint_error_of(const jsonrpc::Answer& answer);

/// An error that matches neither the request nor any known pattern ("Internal error"). The node may be in trouble, so
/// another one is tried; or it is a valid answer in unknown words, so it counts neither for nor against the node.
[[nodiscard]] bool is_general_error(const jsonrpc::Answer& answer);

}  // namespace fencepost::evm
