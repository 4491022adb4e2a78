// An error that tells of the node rather than of the question: another node may well answer it. An error that speaks of
// the question is an answer, and says nothing against the node that gave it (failure 4).
#pragma once

#include "base/text/enum_names.hpp"
#include "jsonrpc/json_rpc.hpp"

namespace fencepost::evm {

inline constexpr std::int64_t invalid_params = -32602;  // JSON-RPC 2.0

enum class Complaint {
    none,
    slow_down,    // a rate limit in words, under status 200
    not_offered,  // it has no such method
    lacks_state,  // it does not keep, or not yet have, what it would need to answer
};

[[nodiscard]] Complaint complaint_of(const jsonrpc::ErrorAnswer& error);
/// none for a result; a Failure is no word of the node's.
[[nodiscard]] Complaint complaint_of(const jsonrpc::Answer& answer);

/// An error in words that speak neither of the question nor of anything else we know ("Internal error"). The node may
/// be in trouble, so another is worth asking; it may as well be an answer that nobody has seen before, so by itself it
/// counts neither for the node nor against it.
[[nodiscard]] bool is_general_error(const jsonrpc::Answer& answer);

}  // namespace fencepost::evm
