#include "http/listen_address.hpp"

#include <charconv>
#include <optional>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

namespace fencepost::http {
namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return port;
}

// Removes the brackets of an IPv6 address; none if they are wrong or missing.
std::optional<std::string_view> parse_host(std::string_view text) {
    const bool bracketed = text.starts_with('[') && text.ends_with(']');
    if (bracketed) text = text.substr(1, text.size() - 2);
    if (text.empty() || text.find_first_of("[] \t/") != std::string_view::npos) return std::nullopt;
    if (bracketed != text.contains(':')) return std::nullopt;
    return text;
}

}  // namespace

Result<ListenAddress, ParseError> ListenAddress::parse(std::string_view text) {
    const auto refuse = [text](std::string_view why) {
        return err(
            ParseError{fmt::format("\"{}\" {}; write HOST:PORT, for example 127.0.0.1:8646 or [::1]:8646", text, why)});
    };
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || text.ends_with(']')) return refuse("has no port");
    const auto host = parse_host(text.substr(0, colon));
    if (!host) return refuse("has no valid host");
    const auto port = parse_port(text.substr(colon + 1));
    if (!port) return refuse("has no valid port (0 to 65535)");
    return ListenAddress{.host = std::string(*host), .port = *port};
}

std::string ListenAddress::to_string() const {
    return host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

bool is_loopback(const std::string& host) {
    boost::system::error_code not_numeric;
    const auto address = boost::asio::ip::make_address(host, not_numeric);
    return not_numeric ? host == "localhost" : address.is_loopback();
}

}  // namespace fencepost::http
