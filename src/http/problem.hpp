// Every answer that is not a success is a problem document (RFC 9457), so that a program can tell what went wrong by
// its type and a person by its detail.
#pragma once

#include <string_view>

#include "http/message.hpp"

namespace fencepost::http {

/// What can go wrong, as a closed vocabulary; each kind has one status, one title and one stable type.
enum class ProblemKind {
    malformed_request,
    unauthorized,
    forbidden,
    not_found,
    method_not_allowed,
    request_timeout,
    submitter_paused,
    submitter_protected,
    not_owner,
    already_settled,
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

/// `detail` says in UTF-8 what was wrong this time and what to do.
[[nodiscard]] Response problem(ProblemKind kind, std::string_view detail);

}  // namespace fencepost::http
