// The HTTP/1.1 server under the API. It handles everything between the socket and a route's handler: connections and
// their limits, time-outs, keep-alive and pipelining, responses to malformed requests, and orderly shutdown.
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

/// The maximum time for each step of a client; a slower client is disconnected. The time of a handler is not limited
/// here.
struct TimeLimits {
    Duration header = std::chrono::seconds(10);    // to send the request header, from its first byte; also to send the
                                                   // first byte of a new connection, including the TLS handshake
    Duration body = std::chrono::seconds(30);      // to send the whole body
    Duration idle = std::chrono::seconds(60);      // between two requests
    Duration response = std::chrono::seconds(30);  // to read the whole response
    Duration drain = std::chrono::seconds(5);      // for requests in progress when the server stops
};

/// PEM files. The certificate file holds the server's certificate first, then the intermediate certificates.
struct TlsFiles {
    std::string certificate;
    std::string key;
    /// If set, a client must present a certificate issued by one of these authorities.
    std::string client_authorities{};
};

struct ServerOptions {
    ListenAddress listen{};
    bool beyond_loopback = false;  // allows an address that other machines can reach
    // Limits on concurrency. What exceeds a limit is refused at once with 503 and Retry-After, because a queue would
    // make callers wait for an unknown time. With `request` they bound the memory of the server: for each connection
    // less than 64 KiB (128 KiB with TLS), plus max_large_body_bytes in all.
    std::size_t max_connections = 1024;
    /// Keeps a single client from taking all connections. An IPv6 client counts by its /64 network, because it can use
    /// every address in it.
    std::size_t max_connections_per_peer = 256;
    /// A request counts from its last byte to the last byte of its response.
    std::size_t max_requests = 512;
    /// Answered also above that limit, so that monitoring does not mistake a busy process for a dead one.
    std::vector<std::string> always_served_paths{"/livez", "/readyz", "/metrics"};
    /// For requests larger than 32 KiB, all together. Smaller ones are not counted, so large ones cannot block them.
    /// One peer may use a quarter of it, or one whole request, so that the large requests of other peers get through.
    std::size_t max_large_body_bytes = std::size_t{64} * 1024 * 1024;
    RequestLimits request{};
    TimeLimits time{};
    /// TLS 1.2 or 1.3, with HTTP/1.1; none: plain HTTP.
    std::optional<TlsFiles> tls{};
    /// Called when a handler throws; the caller only learns that the request failed.
    std::function<void(std::string_view)> on_fault = [](std::string_view) {};
};

class Server {
public:
    /// Listens at once; throws StartupError when it cannot, or when the TLS files cannot be used. Clock and router must
    /// outlive run().
    Server(const Executor& executor, Clock& clock, const Router& router, ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// The actual listen address: numeric, and with the port that the system chose if 0 was configured.
    [[nodiscard]] ListenAddress address() const;

    /// Serves until it is cancelled; call it once. On cancellation it stops listening, closes idle connections, lets
    /// requests in progress finish within the time limit `drain`, and cancels the rest. A second cancellation skips the
    /// wait. When it throws (the cancellation), none of its tasks is left.
    [[nodiscard]] Task<void> run();

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace fencepost::http
