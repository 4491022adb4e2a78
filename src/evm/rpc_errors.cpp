#include "evm/rpc_errors.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace fencepost::evm {
namespace {

constexpr std::int64_t method_not_found = -32601;
constexpr std::int64_t limit_exceeded = -32005;  // EIP-1474

bool contains_any(std::string_view text, std::span<const std::string_view> parts) {
    return std::ranges::any_of(parts, [text](auto part) { return text.find(part) != std::string_view::npos; });
}

bool is_rate_limit(const jsonrpc::ErrorAnswer& answer) {
    static constexpr std::array<std::string_view, 4> words{"rate limit", "too many requests", "request limit",
                                                           "limit exceeded"};
    const auto message = lower_case(answer.message);
    // Besu uses the same code for a gas limit that a block cannot hold.
    return contains_any(message, std::span(words).first(3)) ||
           (answer.code == limit_exceeded && contains_any(message, std::span(words).last(1)));
}

RpcError of_answer(const jsonrpc::ErrorAnswer& answer) {
    auto kind = RpcError::Kind::refused;
    if (is_unsupported(answer))
        kind = RpcError::Kind::unsupported;
    else if (is_rate_limit(answer))
        kind = RpcError::Kind::rate_limited;
    return {kind, fmt::format("{} ({})", answer.message, answer.code)};
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
    }
    FP_UNREACHABLE();
}

}  // namespace

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

bool is_unsupported(const jsonrpc::ErrorAnswer& answer) {
    if (answer.code == method_not_found) return true;
    static constexpr std::array<std::string_view, 5> words{"method not found", "method not supported",
                                                           "does not exist/is not available", "unsupported method",
                                                           "method is not supported"};
    return contains_any(lower_case(answer.message), words);
}

RpcError to_rpc_error(const jsonrpc::Error& error) {
    if (const auto* answer = std::get_if<jsonrpc::ErrorAnswer>(&error)) return of_answer(*answer);
    const auto& failure = std::get<jsonrpc::Failure>(error);
    return {kind_of(failure.kind), failure.what};
}

RpcError malformed(const ParseError& error) { return {RpcError::Kind::malformed, error.what}; }

}  // namespace fencepost::evm
