// What a node's error to a simulated call (eth_estimateGas, eth_call) says about the call. Six clients say it in six
// ways; whatever is in none of them says nothing about the call (law 5).
#pragma once

#include <optional>
#include <variant>

#include "jsonrpc/json_rpc.hpp"
#include "ports/chain.hpp"

namespace fencepost::evm {

using CallFailure = std::variant<Reverted, Unaffordable>;

/// Nothing when the error is about something else than the call.
[[nodiscard]] std::optional<CallFailure> read_call_failure(const jsonrpc::ErrorAnswer& answer);

}  // namespace fencepost::evm
