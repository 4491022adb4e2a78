// Where a JSON-RPC server is. URLs carry secrets: user and password in front of the host, and at many providers an API
// key in the path. So a URL is taken apart once, here, and what names it to people never shows more than the host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace fencepost::jsonrpc {

enum class Scheme { http, https, ws, wss };

struct Url {
    Scheme scheme = Scheme::http;
    std::string host{};  // a name, or an IP address without brackets
    std::uint16_t port = 80;
    std::string target = "/";     // path and query
    std::string authorization{};  // from user:password@, as the header's value; empty without

    /// Takes http, https, ws and wss. The error says what is wrong without quoting the URL.
    [[nodiscard]] static Result<Url, ParseError> parse(std::string_view text);

    [[nodiscard]] bool uses_tls() const { return scheme == Scheme::https || scheme == Scheme::wss; }
    [[nodiscard]] bool is_web_socket() const { return scheme == Scheme::ws || scheme == Scheme::wss; }
    /// The value of the Host header: without the port if it is the scheme's own.
    [[nodiscard]] std::string authority() const;
};

/// scheme://host:port, for logs and errors.
[[nodiscard]] std::string display_name(const Url& url);

/// What must not be shown if a server quotes it: the target, its longer parts, and what stands in `authorization`.
[[nodiscard]] std::vector<std::string> secrets_of(const Url& url);

/// The beginning of a text from outside, safe to print: one line of printable ASCII, without any of `secrets`.
[[nodiscard]] std::string excerpt(std::string_view text, const std::vector<std::string>& secrets);
/// The same for what must still be understood: up to a thousand bytes, as they are.
[[nodiscard]] std::string scrubbed(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace fencepost::jsonrpc
