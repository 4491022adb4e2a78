// Whatever a client sends, the HTTP request parser returns requests within its limits or a fault that can be answered,
// independent of how the bytes are split.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/assert.hpp"
#include "http/message/problem.hpp"
#include "http/message/request_parser.hpp"
#include "http/message/response_head.hpp"

namespace fencepost::http {
namespace {

constexpr RequestLimits limits{.header_bytes = 512, .body_bytes = 256};

std::string to_text(const IncomingRequest& incoming) {
    const auto& request = incoming.request;
    FP_ASSERT(request.body.size() <= limits.body_bytes);
    FP_ASSERT(request.path.size() + request.query.size() <= limits.header_bytes);
    for (const char c : request.path + request.query)
        FP_ASSERT(c > 0x20 && c < 0x7f);
    std::string text = std::string(to_string(request.method)) + " " + request.path + "?" + request.query;
    std::size_t size = 0;
    for (const auto& [name, value] : request.headers) {
        size += name.size() + value.size();
        text += "\n" + name + ": " + value;
    }
    FP_ASSERT(size <= limits.header_bytes);
    return text + "\n\n" + request.body + (incoming.keep_alive ? " kept" : " closed");
}

void check(const RequestFault& fault) {
    const auto response = problem(fault.kind, fault.detail);
    FP_ASSERT(static_cast<int>(response.status) >= 400 && static_cast<int>(response.status) < 500);
    FP_ASSERT(response_head(response, false, UnixTime{}).ends_with("\r\n\r\n"));
}

// The requests of a connection as comparable text, up to the first fault.
std::vector<std::string> parse_all(std::string_view bytes, std::size_t piece) {
    RequestParser parser(limits);
    std::vector<std::string> requests;
    while (!bytes.empty()) {
        parser.feed(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        for (;;) {
            const auto stage = parser.advance();
            if (!stage) {
                check(stage.error());
                return requests;
            }
            if (*stage == RequestStage::body) std::ignore = parser.client_waits();
            if (*stage != RequestStage::complete) break;
            requests.push_back(to_text(parser.take()));
        }
    }
    return requests;
}

}  // namespace
}  // namespace fencepost::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto whole = fencepost::http::parse_all(bytes, size + 1);
    for (const std::size_t piece : {1U, 7U}) {
        // The position at which a fault is noticed may differ, but not the requests before it.
        FP_ASSERT(fencepost::http::parse_all(bytes, piece) == whole);
    }
    return 0;
}
