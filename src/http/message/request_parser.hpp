// Parses HTTP requests from bytes, without a socket, so that hostile input can be tested and fuzzed in isolation.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "http/message/message.hpp"
#include "http/message/problem.hpp"

namespace fencepost::http {

struct RequestLimits {
    std::size_t header_bytes = std::size_t{16} * 1024;  // request line and header fields together
    std::size_t body_bytes = std::size_t{1024} * 1024;
};

/// How much of the next request has arrived.
enum class RequestStage { idle, header, body, complete };

/// Why the request is rejected: answer with this and close the connection.
struct RequestFault {
    ProblemKind kind;
    std::string detail;
};

struct IncomingRequest {
    Request request;
    bool keep_alive = false;  // whether the client wants to reuse the connection
};

/// The requests of one connection, in order; bytes of later requests are buffered (pipelining). Rejects requests that
/// exceed a limit or are not HTTP/1.0 or 1.1, and everything that a proxy before this server may interpret differently
/// (request smuggling): a duplicate length, a transfer coding other than chunked, a missing or second Host (RFC 9112,
/// sections 3.2 and 6). Holds at most one request, header_bytes and the last bytes fed.
class RequestParser {
public:
    explicit RequestParser(RequestLimits limits);
    ~RequestParser();
    RequestParser(const RequestParser&) = delete;
    RequestParser& operator=(const RequestParser&) = delete;

    void feed(std::string_view bytes);
    /// Parses as far as the bytes fed allow. Do not call it again after a fault.
    [[nodiscard]] Result<RequestStage, RequestFault> advance();

    /// In stage body: whether the client waits for "100 Continue" before it sends the body (Expect: 100-continue).
    [[nodiscard]] bool client_waits() const;

    /// In stage complete: returns the request and starts the next one.
    [[nodiscard]] IncomingRequest take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::http
