// Maps JSON-RPC failures to the port's errors.
#include "evm/errors/rpc_errors.hpp"

#include <fmt/format.h>

#include "evm/errors/endpoint_error.hpp"

namespace fencepost::evm {
namespace {

RpcError::Kind kind_of(EndpointError endpoint_error) {
    switch (endpoint_error) {
        case EndpointError::slow_down:
            return RpcError::Kind::rate_limited;
        case EndpointError::unsupported_method:
            return RpcError::Kind::unsupported;
        case EndpointError::missing_state:
        case EndpointError::none:
            return RpcError::Kind::refused;
    }
    FP_UNREACHABLE();
}

RpcError of_answer(const jsonrpc::ErrorAnswer& answer) {
    return {kind_of(endpoint_error_of(answer)), fmt::format("{} ({})", answer.message, answer.code)};
}

RpcError::Kind kind_of(jsonrpc::Failure::Kind kind) {
    switch (kind) {
        case jsonrpc::Failure::Kind::unreachable:
        case jsonrpc::Failure::Kind::http_error:
        case jsonrpc::Failure::Kind::overloaded:
            return RpcError::Kind::unreachable;
        case jsonrpc::Failure::Kind::timed_out:
            return RpcError::Kind::timed_out;
        case jsonrpc::Failure::Kind::rate_limited:
            return RpcError::Kind::rate_limited;
        case jsonrpc::Failure::Kind::malformed:
            return RpcError::Kind::malformed;
        case jsonrpc::Failure::Kind::no_evidence:
            return RpcError::Kind::no_evidence;
    }
    FP_UNREACHABLE();
}

}  // namespace

bool is_unsupported(const jsonrpc::ErrorAnswer& answer) {
    return endpoint_error_of(answer) == EndpointError::unsupported_method;
}

RpcError to_rpc_error(const jsonrpc::Error& error) {
    if (const auto* answer = std::get_if<jsonrpc::ErrorAnswer>(&error)) return of_answer(*answer);
    const auto& failure = std::get<jsonrpc::Failure>(error);
    return {kind_of(failure.kind), failure.what};
}

RpcError malformed(const ParseError& error) { return {RpcError::Kind::malformed, error.what}; }

}  // namespace fencepost::evm
