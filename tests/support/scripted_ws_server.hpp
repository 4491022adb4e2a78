// A node's WebSocket endpoint on a loopback port, reduced to subscriptions: it accepts eth_subscribe and pushes heads
// when the test says so. It runs on the test's own executor.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/async/task.hpp"
#include "ports/clock.hpp"
#include "support/test_certificate.hpp"

namespace fencepost::test {

enum class WsMode {
    none,       // as a well-behaved node
    no_ws,      // answers the handshake with status .status
    hang_up,    // closes instead of answering the handshake
    no_answer,  // accepts the subscription request without answering it
    refuse,     // answers the subscription request with an error
    deaf,       // stops reading after the subscription, so that pings stay unanswered
};

class ScriptedWsServer {
public:
    struct Options {
        std::optional<TestCertificate> certificate{};
        WsMode mode = WsMode::none;
        unsigned status = 400;
    };

    ScriptedWsServer(const Executor& executor, Clock& clock, Options options);
    ~ScriptedWsServer();
    ScriptedWsServer(const ScriptedWsServer&) = delete;
    ScriptedWsServer& operator=(const ScriptedWsServer&) = delete;

    /// Closes everything. Must be awaited before the server is destroyed, unless its context is torn down.
    [[nodiscard]] Task<void> stop();

    /// Sends a head to every subscriber, as the result of a notification.
    [[nodiscard]] Task<void> push(boost::json::value head);
    /// Sends this text to every subscriber as a message.
    [[nodiscard]] Task<void> push_text(std::string text);
    /// Resets the connections, or closes them in an orderly way.
    void reset_connections();
    [[nodiscard]] Task<void> close_connections();

    /// "ws://127.0.0.1:port", or wss with a certificate.
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::size_t subscribers() const;
    /// A header of the last handshake.
    [[nodiscard]] std::string header(const std::string& name) const;
    [[nodiscard]] std::size_t pings() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace fencepost::test
