// The messages of a command when the server refuses the request or does not answer: what was wrong, field by field, and
// what to do.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace fencepost::cli {

/// One or more complete lines; the first starts with "fencepost: ". `server` is the server's name in the message.
[[nodiscard]] std::string explain_refusal(const ApiAnswer& answer, const std::string& server);

/// The same when there was no answer.
[[nodiscard]] std::string explain_no_answer(const jsonrpc::Failure& failure, const std::string& server);

/// Whether the same request may succeed later.
[[nodiscard]] bool is_retryable(const ApiAnswer& answer);

}  // namespace fencepost::cli
