// Private to src/jsonrpc: bytes in, an HTTP response out, without a socket. Limits are enforced while reading, because
// the server may be hostile.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "jsonrpc/json_rpc.hpp"

namespace fencepost::jsonrpc {

inline constexpr unsigned status_too_many_requests = 429;

struct HttpResponse {
    unsigned status = 0;
    std::string body{};
    std::string retry_after{};  // value of the header; empty without one
    bool keep_alive = false;    // whether the connection may be reused
};

/// Reads one response. Skips informational responses (1xx) before it.
class ResponseParser {
public:
    explicit ResponseParser(std::size_t max_body_bytes);
    ~ResponseParser();
    ResponseParser(const ResponseParser&) = delete;
    ResponseParser& operator=(const ResponseParser&) = delete;

    /// True when the response is complete. Must not be called again after that or after a failure.
    [[nodiscard]] Result<bool, Failure> feed(std::string_view bytes);
    /// The server has closed the connection: completes a response without a length, and fails any other.
    [[nodiscard]] Status<Failure> end();

    [[nodiscard]] bool has_begun() const;
    [[nodiscard]] HttpResponse take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::jsonrpc
