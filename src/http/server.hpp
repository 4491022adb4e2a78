// The HTTP/1.1 server under the API. It owns everything between a socket and a route's handler: connections and their
// number, limits of size and time, keep-alive and pipelining, the answers to what is no request, and an orderly end.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/task.hpp"
#include "http/listen_address.hpp"
#include "http/request_parser.hpp"
#include "http/router.hpp"
#include "ports/clock.hpp"

namespace fencepost::http {

/// Each is the longest a client may take over one thing; a client that takes longer loses its connection. A handler's
/// time is its own business.
struct TimeLimits {
    Duration header = std::chrono::seconds(10);    // from its first byte, which a new connection must send as soon
    Duration body = std::chrono::seconds(30);      // the whole of it
    Duration idle = std::chrono::seconds(60);      // between two requests
    Duration response = std::chrono::seconds(30);  // to take the whole of an answer
    Duration drain = std::chrono::seconds(5);      // for the requests under way when the server stops
};

struct ServerOptions {
    ListenAddress listen{};
    bool beyond_loopback = false;  // whether others than this machine may call
    std::size_t max_connections = 1024;
    RequestLimits request{};
    TimeLimits time{};
    /// Told when a handler ends with an exception; its caller is told no more than that it failed.
    std::function<void(std::string_view)> on_fault = [](std::string_view) {};
};

class Server {
public:
    /// Listens at once; throws StartupError when it cannot. Clock and router must outlive run().
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
