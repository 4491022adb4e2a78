// What a route sees of HTTP: plain values. How they come and go on a connection is the server's business alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/async/task.hpp"

namespace fencepost::http {

/// The methods that routes are made for. Every other one is `other`, and no route has it.
enum class Method { get, head, post, put, patch, del, other };
[[nodiscard]] std::string_view to_string(Method method);

enum class StatusCode : std::uint16_t {
    ok = 200,
    accepted = 202,
    bad_request = 400,
    unauthorized = 401,
    forbidden = 403,
    not_found = 404,
    method_not_allowed = 405,
    request_timeout = 408,
    conflict = 409,
    content_too_large = 413,
    unsupported_media_type = 415,
    unprocessable_content = 422,
    too_many_requests = 429,
    header_fields_too_large = 431,
    internal_server_error = 500,
    service_unavailable = 503,
};
[[nodiscard]] std::string_view reason_phrase(StatusCode status);

/// Header fields in the order in which they came; names compare without regard to case (RFC 9110, section 5.1).
class Headers {
public:
    void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }

    /// The first field of that name.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;

    [[nodiscard]] auto begin() const { return fields_.begin(); }
    [[nodiscard]] auto end() const { return fields_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

/// The client's end of a connection, for a handler that keeps it waiting.
class Client {
public:
    virtual ~Client() = default;
    /// Has it called when the client has closed its end, or at once if it has. An empty one: nobody is told any more.
    /// A client that closes only its own direction looks the same and reads on, so the request should be answered
    /// then, with what there is. Whoever does not ask is not disturbed.
    virtual void when_gone(std::function<void()> call) = 0;
};

struct Request {
    Method method = Method::get;
    std::string path = "/";  // as it was sent, not percent-decoded; printable ASCII
    std::string query{};     // what followed the first '?', as it was sent
    Headers headers{};
    std::string body{};
    std::string peer{};                // the client's address without its port; empty where nobody is connected
    std::string client_certificate{};  // the common name in the certificate that it showed, printable; empty: none
    /// What stood in the places of the route's "{names}", percent-decoded, in their order.
    std::vector<std::pair<std::string, std::string>> parameters{};
    Client* client = nullptr;  // for as long as the handler runs; none where nobody is connected

    /// The parameter of that name, which the route's path must have.
    [[nodiscard]] const std::string& parameter(std::string_view name) const;
};

struct Response {
    StatusCode status = StatusCode::ok;
    std::string content_type{};
    std::string body{};
    Headers headers{};  // beyond those that describe body and connection, which the server writes
};

/// Answers one request. Runs in a task that is cancelled when the server stops and has waited long enough.
using Handler = std::function<Task<Response>(Request)>;

}  // namespace fencepost::http
