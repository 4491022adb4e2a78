// What a command tells a person when the server said no, or was not there: what was wrong, field by field, and what to
// do.
#pragma once

#include <string>

#include "cli/api_client.hpp"

namespace fencepost::cli {

/// One or more lines, each of which ends; the first begins with "fencepost: ". `server` names it for people.
[[nodiscard]] std::string explain_refusal(const ApiAnswer& answer, const std::string& server);

/// The same where there was no answer.
[[nodiscard]] std::string explain_silence(const jsonrpc::Failure& failure, const std::string& server);

/// Whether the same call may well be taken later.
[[nodiscard]] bool is_passing(const ApiAnswer& answer);

}  // namespace fencepost::cli
