// The listen address as written in the configuration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace fencepost::http {

struct ListenAddress {
    std::string host = "127.0.0.1";  // a name or an address, an IPv6 address without its brackets
    std::uint16_t port = 8646;       // 0: any free port

    /// HOST:PORT or [IPV6]:PORT.
    [[nodiscard]] static Result<ListenAddress, ParseError> parse(std::string_view text);
    [[nodiscard]] std::string to_string() const;

    friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Whether the address is reachable from this machine only: a numeric loopback address, or localhost. Any other name
/// may resolve to any address, now or later.
[[nodiscard]] bool is_loopback(const std::string& host);

}  // namespace fencepost::http
