// HTTP messages as routes see them: plain values. Only the server deals with connections.
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

/// The methods that routes may use. All others are `other`, which no route has.
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

/// Header fields in order of arrival; names are compared case-insensitively (RFC 9110, section 5.1).
class Headers {
public:
    void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }

    /// The first field with that name.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;

    [[nodiscard]] auto begin() const { return fields_.begin(); }
    [[nodiscard]] auto end() const { return fields_.end(); }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

/// The client of a request, for a handler that makes it wait.
class Client {
public:
    virtual ~Client() = default;
    /// Calls `call` when the client has closed its side, or at once if it has already. An empty function removes the
    /// callback. A client that only shuts down its sending direction looks the same and still reads, so the handler
    /// should then answer with what it has. Connections without a callback are not watched.
    virtual void when_gone(std::function<void()> call) = 0;
};

struct Request {
    Method method = Method::get;
    std::string path = "/";  // as it was sent, not percent-decoded; printable ASCII
    std::string query{};     // what followed the first '?', as it was sent
    Headers headers{};
    std::string body{};
    std::string peer{};                // the client's address without its port; empty without a connection
    std::string client_certificate{};  // the common name of the client certificate, printable; empty: none
    /// The values of the route's "{names}", percent-decoded, in their order.
    std::vector<std::pair<std::string, std::string>> parameters{};
    Client* client = nullptr;  // valid while the handler runs; null without a connection

    /// The parameter with that name, which the route's path must have.
    [[nodiscard]] const std::string& parameter(std::string_view name) const;
};

struct Response {
    StatusCode status = StatusCode::ok;
    std::string content_type{};
    std::string body{};
    Headers headers{};  // besides those that the server writes (body and connection)
};

/// Handles one request. Its task is cancelled when the server's drain time has passed.
using Handler = std::function<Task<Response>(Request)>;

}  // namespace fencepost::http
