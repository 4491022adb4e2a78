// Private to the scripted server: builds its answers, without sockets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/scripted_rpc_server.hpp"

namespace fencepost::test {

/// The calls in a request body.
struct ParsedCalls {
    boost::json::array calls{};
    bool is_batch = false;
};
[[nodiscard]] ParsedCalls parse_calls(const std::string& body);
[[nodiscard]] std::vector<std::string> methods_of(const ParsedCalls& parsed);

/// The body of the answer, modified as the behaviour requires.
[[nodiscard]] std::string answer_body(const ParsedCalls& parsed, const Behaviour& behaviour,
                                      const CallHandler& handler);

/// A complete HTTP response. `extra` contains header lines, each ended by CR LF.
[[nodiscard]] std::string http_response(unsigned status, std::string_view content_type, std::string_view body,
                                        std::string_view extra = "");

}  // namespace fencepost::test
