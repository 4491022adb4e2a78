#include "http/message/message.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace fencepost::http {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view to_string(Method method) {
    switch (method) {
        case Method::get:
            return "GET";
        case Method::head:
            return "HEAD";
        case Method::post:
            return "POST";
        case Method::put:
            return "PUT";
        case Method::patch:
            return "PATCH";
        case Method::del:
            return "DELETE";
        case Method::other:
            return "other";
    }
    FP_UNREACHABLE();
}

std::string_view reason_phrase(StatusCode status) {
    switch (status) {
        case StatusCode::ok:
            return "OK";
        case StatusCode::accepted:
            return "Accepted";
        case StatusCode::bad_request:
            return "Bad Request";
        case StatusCode::unauthorized:
            return "Unauthorized";
        case StatusCode::forbidden:
            return "Forbidden";
        case StatusCode::not_found:
            return "Not Found";
        case StatusCode::method_not_allowed:
            return "Method Not Allowed";
        case StatusCode::request_timeout:
            return "Request Timeout";
        case StatusCode::conflict:
            return "Conflict";
        case StatusCode::content_too_large:
            return "Content Too Large";
        case StatusCode::unsupported_media_type:
            return "Unsupported Media Type";
        case StatusCode::unprocessable_content:
            return "Unprocessable Content";
        case StatusCode::too_many_requests:
            return "Too Many Requests";
        case StatusCode::header_fields_too_large:
            return "Request Header Fields Too Large";
        case StatusCode::internal_server_error:
            return "Internal Server Error";
        case StatusCode::service_unavailable:
            return "Service Unavailable";
    }
    FP_UNREACHABLE();
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(fields_, [name](const auto& field) { return same_name(field.first, name); });
    if (found == fields_.end()) return std::nullopt;
    return found->second;
}

std::size_t Headers::count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(fields_, [name](const auto& field) { return same_name(field.first, name); }));
}

const std::string& Request::parameter(std::string_view name) const {
    const auto found = std::ranges::find_if(parameters, [name](const auto& pair) { return pair.first == name; });
    FP_ASSERT(found != parameters.end(), "the route has no parameter {}", name);
    return found->second;
}

}  // namespace fencepost::http
