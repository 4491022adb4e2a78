// Patterns of rate limits, unsupported methods and missing state.
#include "evm/errors/endpoint_error.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "evm/errors/call_failure.hpp"
#include "evm/errors/error_patterns.hpp"
#include "evm/errors/send_errors.hpp"

namespace fencepost::evm {
namespace {

constexpr std::int64_t method_not_found = -32601;      // JSON-RPC 2.0
constexpr std::int64_t method_not_supported = -32004;  // EIP-1474
constexpr std::int64_t limit_exceeded = -32005;        // EIP-1474
constexpr std::int64_t too_many_requests = 429;        // HTTP's status, repeated by some providers

bool says_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [text](auto word) { return says(text, word); });
}

bool is_slow_down(std::int64_t code, std::string_view text) {
    if (code == too_many_requests) return true;
    if (code == limit_exceeded && says_any(text, {"limit exceeded", "limit"})) return true;
    return says_any(text, {"rate limit", "rate-limit", "ratelimit", "too many requests", "request limit",
                           "requests per second", "compute units per second"});
}

bool is_not_offered(std::int64_t code, std::string_view text) {
    if (code == method_not_found) return true;
    if (code == method_not_supported && says_any(text, {"method", "not supported"})) return true;
    return says_any(text, {"method not found", "does not exist/is not available", "method not supported",
                           "unsupported method", "method is not supported"});
}

bool is_state_missing(std::string_view text) {
    return says_any(text, {"missing trie node", "header not found", "historical state", "state not available",
                           "state is not available", "world state unavailable", "required historical", "pruned"});
}

}  // namespace

EndpointError endpoint_error_of(const jsonrpc::ErrorAnswer& error) {
    // Besu uses -32005 and -32004 to refuse a transaction.
    if (outcome_of(error.code, error.message) != SendOutcome::unknown) return EndpointError::none;
    const auto text = lower_case(error.message);
    if (says_any(text, {"execution reverted", "vm exception while processing", "reverted with"}))
        return EndpointError::none;
    if (is_slow_down(error.code, text)) return EndpointError::slow_down;
    if (is_not_offered(error.code, text)) return EndpointError::unsupported_method;
    if (is_state_missing(text)) return EndpointError::missing_state;
    return EndpointError::none;
}

EndpointError endpoint_error_of(const jsonrpc::Answer& answer) {
    if (answer) return EndpointError::none;
    const auto* error = std::get_if<jsonrpc::ErrorAnswer>(&answer.error());
    return error == nullptr ? EndpointError::none : endpoint_error_of(*error);
}

bool is_general_error(const jsonrpc::Answer& answer) {
    if (answer) return false;
    const auto* error = std::get_if<jsonrpc::ErrorAnswer>(&answer.error());
    if (error == nullptr || endpoint_error_of(*error) != EndpointError::none) return false;
    const bool about_the_question = error->code == invalid_params || read_call_failure(*error) ||
                                    outcome_of(error->code, error->message) != SendOutcome::unknown;
    return !about_the_question;
}

}  // namespace fencepost::evm
