// Every error response is a problem document (RFC 9457): programs tell errors apart by type, people by detail.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "http/message/message.hpp"

namespace fencepost::http {

/// All problems of the API; each has one status, one title and one stable type.
enum class ProblemKind {
    malformed_request,
    unauthorized,
    forbidden,
    foreign_origin,
    not_found,
    method_not_allowed,
    request_timeout,
    submitter_paused,
    submitter_protected,
    not_owner,
    already_settled,
    not_possible,
    body_too_large,
    unsupported_media_type,
    invalid_request,
    nonce_not_accepted,
    request_id_reused,
    policy_refused,
    rate_limited,
    header_too_large,
    internal_error,
    too_many_connections,
    overloaded,
    store_unavailable,
};

/// An invalid field of a request, and what would be valid; both in UTF-8.
struct FieldError {
    std::string field;  // "payload.value"
    std::string detail;

    friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// `detail` says, in UTF-8, what was wrong this time and what to do.
[[nodiscard]] Response problem(ProblemKind kind, std::string_view detail, const std::vector<FieldError>& errors = {});

/// With one more member, which names the subject for programs (RFC 9457, section 3.2).
[[nodiscard]] Response problem_about(ProblemKind kind, std::string_view detail, std::string_view name,
                                     std::string_view value);

/// For a temporary problem: with Retry-After (RFC 9110, section 10.2.3).
[[nodiscard]] Response temporary_problem(ProblemKind kind, std::string_view detail, std::chrono::seconds retry_after);

}  // namespace fencepost::http
