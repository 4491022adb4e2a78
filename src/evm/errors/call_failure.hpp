// Classifies a node's error to a simulated call (eth_estimateGas, eth_call). Each of six clients words it differently;
// an error that matches none of them says nothing about the call (law 5).
#pragma once

#include <optional>
#include <variant>

#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using CallFailure = std::variant<Reverted, Unaffordable>;

/// Empty when the error is not about the call.
[[nodiscard]] std::optional<CallFailure> read_call_failure(const jsonrpc::ErrorAnswer& answer);

}  // namespace fencepost::evm
