// Parses URLs and removes their secrets from texts.
#include "jsonrpc/url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/detail/base64.hpp>
#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::jsonrpc {
namespace {

struct SchemeRow {
    Scheme scheme;
    std::string_view name;
    std::uint16_t port;
};
constexpr std::array<SchemeRow, 4> schemes{{
    {Scheme::http, "http", 80},
    {Scheme::https, "https", 443},
    {Scheme::ws, "ws", 80},
    {Scheme::wss, "wss", 443},
}};

const SchemeRow& row_of(Scheme scheme) { return *std::ranges::find(schemes, scheme, &SchemeRow::scheme); }

using Wrong = std::optional<ParseError>;

std::string bracketed(const std::string& host) { return host.contains(':') ? "[" + host + "]" : host; }

bool is_host_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded.push_back(text[i]);
            continue;
        }
        if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0) return std::nullopt;
        decoded.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
        i += 2;
    }
    return decoded;
}

std::string base64(std::string_view text) {
    namespace base64 = boost::beast::detail::base64;
    std::string encoded(base64::encoded_size(text.size()), '\0');
    encoded.resize(base64::encode(encoded.data(), text.data(), text.size()));
    return encoded;
}

Wrong set_credentials(Url& url, std::string_view text) {
    const auto colon = text.find(':');
    const auto user = percent_decoded(text.substr(0, colon));
    const auto password = percent_decoded(colon == std::string_view::npos ? "" : text.substr(colon + 1));
    if (!user || !password) return ParseError{"the user or password in the URL has a % without two hexadecimal digits"};
    url.authorization = "Basic " + base64(*user + ":" + *password);
    return std::nullopt;
}

Wrong set_port(Url& url, std::string_view text) {
    const auto* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, url.port);
    if (error != std::errc{} || read != end || url.port == 0) {
        return ParseError{"the port of the URL must be a number from 1 to 65535"};
    }
    return std::nullopt;
}

Wrong set_bracketed(Url& url, std::string_view text) {
    const auto end = text.find(']');
    boost::system::error_code error;
    if (end != std::string_view::npos) boost::asio::ip::make_address_v6(std::string(text.substr(1, end - 1)), error);
    if (end == std::string_view::npos || error) {
        return ParseError{"the URL's host in brackets must be an IPv6 address, as in http://[::1]:8545"};
    }
    url.host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (text.empty()) return std::nullopt;
    if (text.front() != ':') return ParseError{"after the URL's host only a port may follow, as in [::1]:8545"};
    return set_port(url, text.substr(1));
}

Wrong set_host_and_port(Url& url, std::string_view text) {
    if (text.starts_with('[')) return set_bracketed(url, text);
    const auto colon = text.find(':');
    url.host = text.substr(0, colon);
    if (url.host.empty()) return ParseError{"the URL names no host; write it as https://host:port/path"};
    if (!std::ranges::all_of(url.host, is_host_character)) {
        return ParseError{
            "the URL's host has an invalid character; write international names as xn--… and "
            "user:password@ before the host with %40 for each @ in it"};
    }
    return colon == std::string_view::npos ? std::nullopt : set_port(url, text.substr(colon + 1));
}

void replace_all(std::string& text, const std::string& what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

}  // namespace

Result<Url, ParseError> Url::parse(std::string_view text) {
    const auto scheme_end = text.find("://");
    const auto* const row = std::ranges::find(schemes, text.substr(0, scheme_end), &SchemeRow::name);
    if (scheme_end == std::string_view::npos || row == schemes.end()) {
        return err(ParseError{"the URL must begin with http://, https://, ws:// or wss://"});
    }
    const auto is_printable = [](char c) { return c > ' ' && c < '\x7f'; };
    if (!std::ranges::all_of(text, is_printable)) {
        return err(ParseError{"the URL has a space, a control character or a non-ASCII letter; write those as %XX"});
    }
    if (text.contains('#'))
        return err(ParseError{"the URL has a fragment (#…), which only browsers use; leave it out"});

    Url url{.scheme = row->scheme, .port = row->port};
    text.remove_prefix(scheme_end + 3);
    const auto target_begin = std::min(text.find_first_of("/?"), text.size());
    auto authority = text.substr(0, target_begin);
    Wrong wrong;
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
        wrong = set_credentials(url, authority.substr(0, at));
        authority.remove_prefix(at + 1);
    }
    if (!wrong) wrong = set_host_and_port(url, authority);
    if (wrong) return err(std::move(*wrong));
    const auto target = text.substr(target_begin);
    if (!target.empty()) url.target = fmt::format("{}{}", target.front() == '/' ? "" : "/", target);
    return url;
}

std::string Url::authority() const {
    return port == row_of(scheme).port ? bracketed(host) : fmt::format("{}:{}", bracketed(host), port);
}

std::string display_name(const Url& url) {
    return fmt::format("{}://{}:{}", row_of(url.scheme).name, bracketed(url.host), url.port);
}

std::vector<std::string> secrets_of(const Url& url) {
    // Shorter path segments are words such as v3 and rpc, which are no secrets and occur everywhere.
    constexpr std::size_t shortest_key = 6;
    std::vector<std::string> secrets;
    if (url.target.size() >= shortest_key) secrets.push_back(url.target);
    std::string part;
    for (const char c : url.target + "/") {
        if (!std::string_view("/?&=").contains(c)) {
            part.push_back(c);
            continue;
        }
        if (part.size() >= shortest_key) secrets.push_back(part);
        part.clear();
    }
    if (const auto space = url.authorization.find(' '); space != std::string::npos) {
        secrets.push_back(url.authorization.substr(space + 1));
    }
    return secrets;
}

std::string scrubbed(std::string_view text, const std::vector<std::string>& secrets) {
    constexpr std::size_t longest = 1024;
    // Secrets are removed first: cutting one in the middle would hide it from the search.
    constexpr std::size_t searched = 4096;
    std::string shown(text.substr(0, searched));
    for (const auto& secret : secrets)
        replace_all(shown, secret, "***");
    if (shown.size() > longest) shown.resize(longest);
    return shown;
}

std::string excerpt(std::string_view text, const std::vector<std::string>& secrets) {
    constexpr std::size_t longest = 120;
    auto shown = scrubbed(text, secrets);
    for (char& c : shown)
        c = c >= ' ' && c < '\x7f' ? c : ' ';
    const auto is_double_space = [](char a, char b) { return a == ' ' && b == ' '; };
    shown.erase(std::ranges::unique(shown, is_double_space).begin(), shown.end());
    if (shown.size() > longest) shown = shown.substr(0, longest) + "...";
    return shown;
}

}  // namespace fencepost::jsonrpc
