// The address of a JSON-RPC server. URLs carry secrets: user and password before the host, and often an API key in the
// path. So a URL is parsed once, here, and its display name never shows more than the host.
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
    std::string authorization{};  // from user:password@, as header value; empty without

    /// Accepts http, https, ws and wss. The error says what is wrong without quoting the URL.
    [[nodiscard]] static Result<Url, ParseError> parse(std::string_view text);

    [[nodiscard]] bool uses_tls() const { return scheme == Scheme::https || scheme == Scheme::wss; }
    [[nodiscard]] bool is_web_socket() const { return scheme == Scheme::ws || scheme == Scheme::wss; }
    /// Value of the Host header: without the port if it is the scheme's default.
    [[nodiscard]] std::string authority() const;
};

/// scheme://host:port, for logs and errors.
[[nodiscard]] std::string display_name(const Url& url);

/// Strings to hide if a server quotes them: the target, its longer segments, and the credentials in `authorization`.
[[nodiscard]] std::vector<std::string> secrets_of(const Url& url);

/// The start of an untrusted text, safe to print: one line of printable ASCII without any of `secrets`.
[[nodiscard]] std::string excerpt(std::string_view text, const std::vector<std::string>& secrets);
/// As excerpt(), for text that must stay complete: up to a thousand bytes, unchanged otherwise.
[[nodiscard]] std::string scrubbed(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace fencepost::jsonrpc
