// Private to the scripted server: what it answers to a request, without a socket.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/scripted_rpc_server.hpp"

namespace fencepost::test {

/// The calls of a request's body.
struct ParsedCalls {
    boost::json::array calls{};
    bool is_batch = false;
};
[[nodiscard]] ParsedCalls parse_calls(const std::string& body);
[[nodiscard]] std::vector<std::string> methods_of(const ParsedCalls& parsed);

/// The body of the answer, wrong in the way the trick is.
[[nodiscard]] std::string answer_body(const ParsedCalls& parsed, const Behaviour& behaviour,
                                      const CallHandler& handler);

/// A whole HTTP response. `extra` are header lines, each ended by CR LF.
[[nodiscard]] std::string http_response(unsigned status, std::string_view content_type, std::string_view body,
                                        std::string_view extra = "");

}  // namespace fencepost::test
