// Private to src/http: counts the connections, requests and bytes of a server and enforces its limits.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "http/server.hpp"

namespace fencepost::http {

/// The peer for per-peer limits: for IPv6 the /64 network, because one subscriber has all its addresses.
[[nodiscard]] asio::ip::address peer_of(const asio::ip::address& address);

/// Each counted object releases its share in its destructor; the limiter outlives them all.
class ConnectionLimiter {
public:
    /// The options must outlive it.
    explicit ConnectionLimiter(const ServerOptions& options) : options_(options) {}
    ConnectionLimiter(const ConnectionLimiter&) = delete;
    ConnectionLimiter& operator=(const ConnectionLimiter&) = delete;

    /// One open connection: served, or open only to send the refusal.
    class Slot {
    public:
        Slot(ConnectionLimiter& limiter, const asio::ip::address& peer, bool admitted);
        Slot(Slot&& other) noexcept;
        Slot& operator=(Slot&&) = delete;
        ~Slot();

        [[nodiscard]] bool is_admitted() const { return admitted_; }
        /// The peer that it is counted for (peer_of).
        [[nodiscard]] const asio::ip::address& peer() const { return peer_; }

    private:
        ConnectionLimiter* limiter_;
        asio::ip::address peer_;
        bool admitted_;
    };
    /// None when so many connections are being refused that this one should be closed without an answer.
    [[nodiscard]] std::optional<Slot> acquire_slot(const asio::ip::tcp::socket& socket);

    /// One request, from its last byte to the last byte of its response.
    class Request {
    public:
        explicit Request(ConnectionLimiter& limiter) : limiter_(limiter) { ++limiter_.requests_; }
        ~Request() { --limiter_.requests_; }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;

    private:
        ConnectionLimiter& limiter_;
    };
    /// Whether a request that is counted already may be handled.
    [[nodiscard]] bool admits(std::string_view path) const;

    /// The bytes that a connection has received of its present request.
    class Body {
    public:
        Body(ConnectionLimiter& limiter, const asio::ip::address& peer) : limiter_(limiter), peer_(peer) {}
        ~Body() { forget(); }
        Body(const Body&) = delete;
        Body& operator=(const Body&) = delete;

        void grow(std::size_t bytes);
        void forget();
        /// False when the request is large and the large requests of the server, or of its peer, exceed their limit.
        [[nodiscard]] bool fits() const;

    private:
        [[nodiscard]] std::size_t large() const;
        void resize(std::size_t bytes);

        ConnectionLimiter& limiter_;
        const asio::ip::address peer_;
        std::size_t bytes_ = 0;
    };

private:
    [[nodiscard]] std::size_t max_large_bytes_per_peer() const;

    const ServerOptions& options_;
    std::map<asio::ip::address, std::size_t> admitted_by_peer_;
    std::size_t admitted_ = 0;
    std::size_t refused_ = 0;
    std::size_t requests_ = 0;
    std::size_t large_bytes_ = 0;
    std::map<asio::ip::address, std::size_t> large_by_peer_;
};

}  // namespace fencepost::http
