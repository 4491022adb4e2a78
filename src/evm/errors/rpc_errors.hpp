// What became of one question, in the words of the port. An error stays an error: it never turns into "not there".
#pragma once

#include <string_view>

#include "evm/endpoints/rpc.hpp"
#include "evm/errors/error_patterns.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

[[nodiscard]] RpcError to_rpc_error(const jsonrpc::Error& error);
[[nodiscard]] RpcError malformed(const ParseError& error);

/// Whether the node says that it does not offer this method at all.
[[nodiscard]] bool is_unsupported(const jsonrpc::ErrorAnswer& answer);

/// The answer as a reader of json_values takes it.
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
