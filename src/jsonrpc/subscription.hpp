// Push notifications from a node: new heads, over a WebSocket. They are hints to poll sooner, never evidence, so losing
// some is harmless. When the connection breaks, every later call fails; the user polls on and opens a new subscription.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "base/async/task.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "jsonrpc/url.hpp"
#include "ports/clock.hpp"

namespace fencepost::jsonrpc {

struct SubscriptionOptions {
    Url url;  // ws or wss
    /// Sent with the handshake and never shown.
    std::vector<std::pair<std::string, std::string>> headers{};
    Request request{.method = "eth_subscribe", .params = {"newHeads"}};
    std::size_t max_message_bytes = std::size_t{1024} * 1024;
    std::size_t max_depth = 32;
    /// When more notifications are queued, the oldest is dropped.
    std::size_t max_waiting = 64;
    /// The connection is closed after this long without any message or pong.
    Duration idle_limit = std::chrono::seconds(30);
    std::string ca_file{};  // PEM; trusted in addition to the system's authorities
};

class Subscription {
public:
    /// Does not connect yet. Throws StartupError when the CA file cannot be read.
    Subscription(const Executor& executor, Clock& clock, SubscriptionOptions options);
    /// If open() was called, close() must have finished.
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Connects and subscribes; may be called once. An ErrorAnswer comes from the node, which may not support
    /// subscriptions.
    [[nodiscard]] Task<Status<Error>> open(Duration time_limit);

    /// Waits for the next notification and returns its `params.result`, oldest first. After the connection has broken,
    /// returns what is still queued, then the same Failure each time. One task at a time.
    [[nodiscard]] Task<Result<boost::json::value, Failure>> next();

    /// Drops the connection. When it returns, no task of this object is left.
    [[nodiscard]] Task<void> close();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::jsonrpc
