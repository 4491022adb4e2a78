// What a node tells without being asked: new heads, over a WebSocket. They are hints to look sooner, never evidence, so
// some may be lost. When the connection breaks this says so once and for all; its user polls on and opens another.
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
    /// When more are waiting, the oldest is dropped.
    std::size_t max_waiting = 64;
    /// A connection on which nothing was heard for so long, not even the answer to a ping, is given up.
    Duration idle_limit = std::chrono::seconds(30);
    std::string ca_file{};  // PEM; trusted besides the system's authorities
};

class Subscription {
public:
    /// Connects to nothing yet. Throws StartupError when the CA file cannot be read.
    Subscription(const Executor& executor, Clock& clock, SubscriptionOptions options);
    /// close() must have ended, if open() was called.
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    /// Connects and subscribes; once. An ErrorAnswer is the node's own: it may not offer this at all.
    [[nodiscard]] Task<Status<Error>> open(Duration time_limit);

    /// The next notification's `params.result`, oldest first; waits for it. After the connection has broken, what still
    /// waits, then the same Failure each time. One task at a time.
    [[nodiscard]] Task<Result<boost::json::value, Failure>> next();

    /// Drops the connection. When it returns no task of this is left.
    [[nodiscard]] Task<void> close();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::jsonrpc
