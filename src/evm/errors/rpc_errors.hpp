// Converts the outcome of one request to the port's types. An error stays an error: it never becomes "not found".
#pragma once

#include <string_view>

#include "evm/endpoints/rpc.hpp"
#include "evm/errors/error_patterns.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

[[nodiscard]] RpcError to_rpc_error(const jsonrpc::Error& error);
[[nodiscard]] RpcError malformed(const ParseError& error);

/// Whether the node says that it does not support this method.
[[nodiscard]] bool is_unsupported(const jsonrpc::ErrorAnswer& answer);

/// The answer parsed by a reader of json_values.
template <typename T>
[[nodiscard]] RpcResult<T> read_answer(const Answer& answer, Parsed<T> (*reader)(const Json&)) {
    if (!answer) return err(to_rpc_error(answer.error()));
    auto parsed = reader(*answer);
    if (!parsed) return err(malformed(parsed.error()));
    return std::move(*parsed);
}

template <typename T>
[[nodiscard]] RpcResult<T> read_answer(const Answer& answer, Parsed<T> (*reader)(const Json&, std::string_view),
                                       std::string_view field) {
    if (!answer) return err(to_rpc_error(answer.error()));
    auto parsed = reader(*answer, field);
    if (!parsed) return err(malformed(parsed.error()));
    return std::move(*parsed);
}

}  // namespace fencepost::evm
