// Writes the status line and header fields of a response.
#pragma once

#include <string>

#include "base/time.hpp"
#include "http/message/message.hpp"

namespace fencepost::http {

/// Status line and header fields, with the empty line. Content-Length, Content-Type, Date and Connection are written
/// here, so no handler can contradict them. A line break in a handler's field would start a second response (response
/// splitting) and aborts.
[[nodiscard]] std::string response_head(const Response& response, bool keep_alive, UnixTime now);

}  // namespace fencepost::http
