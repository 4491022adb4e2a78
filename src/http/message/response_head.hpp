// The bytes before a response's body.
#pragma once

#include <string>

#include "base/time.hpp"
#include "http/message/message.hpp"

namespace fencepost::http {

/// Status line and header fields with the empty line. The body's length and type, the date and whether the connection
/// stays open are written here, so no handler can contradict them; a handler's field with a line break in it would be
/// a second response (response splitting), and aborts.
[[nodiscard]] std::string response_head(const Response& response, bool keep_alive, UnixTime now);

}  // namespace fencepost::http
