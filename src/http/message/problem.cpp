#include "http/message/problem.hpp"

#include <iterator>
#include <string>

#include <fmt/format.h>

#include "base/assert.hpp"

namespace fencepost::http {
namespace {

struct Meaning {
    StatusCode status;
    std::string_view type;
    std::string_view title;
};

Meaning meaning(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::malformed_request:
            return {StatusCode::bad_request, "malformed-request", "The request is not valid HTTP"};
        case ProblemKind::unauthorized:
            return {StatusCode::unauthorized, "unauthorized", "The request has no valid API key"};
        case ProblemKind::forbidden:
            return {StatusCode::forbidden, "forbidden", "The API key does not permit this request"};
        case ProblemKind::foreign_origin:
            return {StatusCode::forbidden, "foreign-origin", "The request may come from a web page of another origin"};
        case ProblemKind::not_found:
            return {StatusCode::not_found, "not-found", "The resource does not exist"};
        case ProblemKind::method_not_allowed:
            return {StatusCode::method_not_allowed, "method-not-allowed", "The path does not support this method"};
        case ProblemKind::request_timeout:
            return {StatusCode::request_timeout, "request-timeout", "The request took too long to arrive"};
        case ProblemKind::submitter_paused:
            return {StatusCode::conflict, "submitter-paused", "The submitter is paused"};
        case ProblemKind::submitter_protected:
            return {StatusCode::conflict, "submitter-protected", "The submitter is stopped (PROTECT)"};
        case ProblemKind::not_owner:
            return {StatusCode::conflict, "not-owner", "Another node serves this submitter"};
        case ProblemKind::already_settled:
            return {StatusCode::conflict, "already-settled", "The transaction is already settled"};
        case ProblemKind::not_possible:
            return {StatusCode::conflict, "not-possible", "The transaction's state does not allow this"};
        case ProblemKind::body_too_large:
            return {StatusCode::content_too_large, "body-too-large", "The request body is too large"};
        case ProblemKind::header_too_large:
            return {StatusCode::header_fields_too_large, "header-too-large", "The request header is too large"};
        case ProblemKind::unsupported_media_type:
            return {StatusCode::unsupported_media_type, "unsupported-media-type", "The body is not JSON"};
        case ProblemKind::invalid_request:
            return {StatusCode::unprocessable_content, "invalid-request", "The request is invalid"};
        case ProblemKind::nonce_not_accepted:
            return {StatusCode::unprocessable_content, "nonce-not-accepted", "Callers cannot choose nonces"};
        case ProblemKind::request_id_reused:
            return {StatusCode::unprocessable_content, "request-id-reused",
                    "The request id was used for another request"};
        case ProblemKind::policy_refused:
            return {StatusCode::unprocessable_content, "policy-refused",
                    "The submitter's policy does not allow the transaction"};
        case ProblemKind::rate_limited:
            return {StatusCode::too_many_requests, "rate-limited", "Too many requests"};
        case ProblemKind::internal_error:
            return {StatusCode::internal_server_error, "internal-error", "The request could not be answered"};
        case ProblemKind::too_many_connections:
            return {StatusCode::service_unavailable, "too-many-connections", "Too many connections are open"};
        case ProblemKind::overloaded:
            return {StatusCode::service_unavailable, "overloaded", "The server is overloaded"};
        case ProblemKind::store_unavailable:
            return {StatusCode::service_unavailable, "store-unavailable", "The database does not answer"};
    }
    FP_UNREACHABLE();
}

// The text as a JSON string (RFC 8259, section 7). So few strings are written here that a JSON library is not worth it.
std::string json_quoted(std::string_view text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            json.push_back('\\');
            json.push_back(c);
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(json), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            json.push_back(c);
        }
    }
    json.push_back('"');
    return json;
}

std::string listed(const std::vector<FieldError>& errors) {
    std::string json;
    for (const auto& error : errors) {
        json += fmt::format(R"({}{{"field":{},"detail":{}}})", json.empty() ? "" : ",", json_quoted(error.field),
                            json_quoted(error.detail));
    }
    return json;
}

}  // namespace

Response problem(ProblemKind kind, std::string_view detail, const std::vector<FieldError>& errors) {
    const auto [status, type, title] = meaning(kind);
    auto body = fmt::format(R"({{"type":"urn:fencepost:problem:{}","title":"{}","status":{},"detail":{})", type, title,
                            static_cast<int>(status), json_quoted(detail));
    if (!errors.empty()) body += fmt::format(R"(,"errors":[{}])", listed(errors));
    return {.status = status, .content_type = "application/problem+json", .body = std::move(body) + "}"};
}

Response problem_about(ProblemKind kind, std::string_view detail, std::string_view name, std::string_view value) {
    auto response = problem(kind, detail);
    response.body.back() = ',';
    response.body += fmt::format("{}:{}}}", json_quoted(name), json_quoted(value));
    return response;
}

Response temporary_problem(ProblemKind kind, std::string_view detail, std::chrono::seconds retry_after) {
    auto response = problem(kind, detail);
    response.headers.add("Retry-After", fmt::format("{}", retry_after.count()));
    return response;
}

}  // namespace fencepost::http
