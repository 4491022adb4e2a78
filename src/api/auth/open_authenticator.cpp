#include "api/auth/open_authenticator.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text/printable.hpp"
#include "http/listen_address.hpp"
#include "http/message/problem.hpp"

namespace fencepost::api {
namespace {

constexpr std::size_t longest_name = 100;

std::string lower_case(std::string_view text) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lowered;
}

// "127.0.0.1:8646", "localhost" or "[::1]:8646", without port and brackets; empty for anything else.
std::string host_in(std::string_view authority) {
    if (!authority.starts_with('[')) return lower_case(authority.substr(0, authority.find(':')));
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return {};
    const auto rest = authority.substr(end + 1);
    return rest.empty() || rest.starts_with(':') ? lower_case(authority.substr(1, end - 1)) : std::string();
}

// Ignores the scheme: a proxy may have terminated TLS, and a page with the same host and port is the node's own.
bool is_same_origin(std::string_view origin, std::string_view host) {
    const auto scheme_end = origin.find("://");
    if (scheme_end == std::string_view::npos) return false;  // "null": a page without an origin, such as a local file
    return lower_case(origin.substr(scheme_end + 3)) == lower_case(host);
}

http::Response refused(std::string_view what, std::string_view name, std::string_view instead) {
    return problem(
        http::ProblemKind::foreign_origin,
        fmt::format(
            "{} \"{}\": a node without API keys refuses requests that a web page of another origin may have sent. {}",
            what, printable(as_bytes(name), longest_name), instead));
}

}  // namespace

OpenAuthenticator::OpenAuthenticator(OpenAuthenticatorOptions options) : options_(std::move(options)) {}

bool OpenAuthenticator::is_own_name(std::string_view host) const {
    const auto name = host_in(host);
    return !options_.only_as || http::is_loopback(name) || name == lower_case(*options_.only_as);
}

Result<Caller, http::Response> OpenAuthenticator::admit(const http::Request& request, Scope /*needed*/) {
    const auto host = request.headers.find("Host");
    // Every browser sends Host.
    if (host && !is_own_name(*host)) {
        return err(refused("The request is addressed to", *host,
                           "Use 127.0.0.1 or localhost, configure API keys (api.keysFile), or, behind a proxy that "
                           "authenticates callers, set api.openToAll to true."));
    }
    // Browsers send Origin with every request of a page that could change something. Other programs do not send it.
    const auto origin = request.headers.find("Origin");
    if (origin && !is_same_origin(*origin, host.value_or(""))) {
        return err(refused("The request comes from a web page of", *origin,
                           "Use a program that sends no Origin, or configure API keys (api.keysFile)."));
    }
    return Caller{.name = "local", .scope = Scope::admin};
}

}  // namespace fencepost::api
