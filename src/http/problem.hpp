// Every answer that is not a success is a problem document (RFC 9457), so that a program can tell what went wrong by
// its type and a person by its detail.
#pragma once

#include <string_view>

#include "http/message.hpp"

namespace fencepost::http {

/// What can go wrong, as a closed vocabulary; each kind has one status, one title and one stable type.
enum class ProblemKind {
    malformed_request,
    not_found,
    method_not_allowed,
    request_timeout,
    body_too_large,
    header_too_large,
    internal_error,
    too_many_connections,
};

/// `detail` says in UTF-8 what was wrong this time and what to do.
[[nodiscard]] Response problem(ProblemKind kind, std::string_view detail);

}  // namespace fencepost::http
