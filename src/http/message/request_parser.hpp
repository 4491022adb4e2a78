// Bytes in, requests out, without a socket: what hostile input meets first is tested and fuzzed here by itself.
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

/// Why there will be no request: the connection must be closed after saying so.
struct RequestFault {
    ProblemKind kind;
    std::string detail;
};

struct IncomingRequest {
    Request request;
    bool keep_alive = false;  // whether the client wants to send another one on this connection
};

/// The requests of one connection, one after another; bytes of later ones wait (pipelining). Refused is, besides what
/// is over a limit or no HTTP/1.0 or 1.1, whatever a proxy before us might understand differently (request smuggling):
/// a length given twice, a transfer coding other than chunked, a missing or second Host (RFC 9112, sections 3.2 and 6).
/// Holds at most one request and header_bytes plus what was fed last.
class RequestParser {
public:
    explicit RequestParser(RequestLimits limits);
    ~RequestParser();
    RequestParser(const RequestParser&) = delete;
    RequestParser& operator=(const RequestParser&) = delete;

    void feed(std::string_view bytes);

    /// Goes as far as the bytes fed allow. Not to be called again after a fault.
    [[nodiscard]] Result<RequestStage, RequestFault> advance();

    /// In stage body: whether the client holds its body back until it is told to go on (Expect: 100-continue).
    [[nodiscard]] bool client_waits() const;

    /// In stage complete: the request. The next one begins.
    [[nodiscard]] IncomingRequest take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::http
