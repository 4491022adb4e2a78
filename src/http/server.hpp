// The HTTP/1.1 server under the API. It owns everything between a socket and a route's handler: connections and their
// number, limits of size and time, keep-alive and pipelining, the answers to what is no request, and an orderly end.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/task.hpp"
#include "http/listen_address.hpp"
#include "http/message/request_parser.hpp"
#include "http/router.hpp"
#include "ports/clock.hpp"

namespace fencepost::http {

/// Each is the longest a client may take over one thing; a client that takes longer loses its connection. A handler's
/// time is its own business.
struct TimeLimits {
    Duration header = std::chrono::seconds(10);    // from its first byte, which a new connection must send as soon,
                                                   // the handshake of TLS included
    Duration body = std::chrono::seconds(30);      // the whole of it
    Duration idle = std::chrono::seconds(60);      // between two requests
    Duration response = std::chrono::seconds(30);  // to take the whole of an answer
    Duration drain = std::chrono::seconds(5);      // for the requests under way when the server stops
};

/// Files in PEM. The server's certificate comes first in its file, then the chain that leads to its authority.
struct TlsFiles {
    std::string certificate;
    std::string key;
    /// If it is named, a client must show a certificate of one of these authorities.
    std::string client_authorities{};
};

struct ServerOptions {
    ListenAddress listen{};
    bool beyond_loopback = false;  // whether others than this machine may call
    // How much may go on at once. What is over it is told so with 503 and Retry-After, at once: nobody waits in a queue
    // of unknown length. With `request` they bound what the server itself holds: for each connection less than 64 KiB
    // (128 KiB with TLS), and max_large_body_bytes for all of them together.
    std::size_t max_connections = 1024;
    /// So that one client alone cannot take them all. Of an IPv6 address the network (/64) counts, of which a client
    /// has as many addresses as it likes.
    std::size_t max_connections_per_peer = 256;
    /// From the last byte of a request to the last byte of its answer.
    std::size_t max_requests = 512;
    /// Answered also above that limit: whoever watches over this process must not take a busy one for a dead one.
    std::vector<std::string> vital_paths{"/livez", "/readyz", "/metrics"};
    /// Of requests beyond 32 KiB each. Small ones are not counted, so that large ones cannot keep them out; and one
    /// peer's may be a quarter of it, or one whole request, so that others' large ones get through.
    std::size_t max_large_body_bytes = std::size_t{64} * 1024 * 1024;
    RequestLimits request{};
    TimeLimits time{};
    /// TLS 1.2 or 1.3, HTTP/1.1; none: plain HTTP.
    std::optional<TlsFiles> tls{};
    /// Told when a handler ends with an exception; its caller is told no more than that it failed.
    std::function<void(std::string_view)> on_fault = [](std::string_view) {};
};

class Server {
public:
    /// Listens at once; throws StartupError when it cannot, or when the files of TLS cannot be used. Clock and router
    /// must outlive run().
    Server(const Executor& executor, Clock& clock, const Router& router, ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Where it really listens: numeric, and with the port that was free if 0 was asked for.
    [[nodiscard]] ListenAddress address() const;

    /// Serves until cancelled; runs once. Then it stops listening, closes the connections that wait for a request, lets
    /// requests under way be answered for as long as the time limit `drain` allows, and cancels the rest. A second
    /// cancellation cuts that short. When it throws (the cancellation) no task of it is left.
    [[nodiscard]] Task<void> run();

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace fencepost::http
