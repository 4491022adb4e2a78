// A node's WebSocket side on a loopback port, as far as a subscription needs it: it takes eth_subscribe and tells heads
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

enum class WsTrick {
    none,       // as a well-behaved node
    no_ws,      // answers the handshake with status .status
    hang_up,    // closes instead of answering the handshake
    no_answer,  // takes the subscription and does not answer
    refuse,     // answers the subscription with an error
    deaf,       // after the subscription reads nothing any more, so that pings stay unanswered
};

class ScriptedWsServer {
public:
    struct Options {
        std::optional<TestCertificate> certificate{};
        WsTrick trick = WsTrick::none;
        unsigned status = 400;
    };

    ScriptedWsServer(const Executor& executor, Clock& clock, Options options);
    ~ScriptedWsServer();
    ScriptedWsServer(const ScriptedWsServer&) = delete;
    ScriptedWsServer& operator=(const ScriptedWsServer&) = delete;

    /// Closes everything. To be awaited before the server goes, unless its context is torn down.
    [[nodiscard]] Task<void> stop();

    /// Tells every subscriber, as the result of a notification.
    [[nodiscard]] Task<void> push(boost::json::value head);
    /// Sends every subscriber this text as a message.
    [[nodiscard]] Task<void> push_text(std::string text);
    /// Resets the connections, or closes them in an orderly way.
    void reset_connections();
    [[nodiscard]] Task<void> close_connections();

    /// "ws://127.0.0.1:port", or wss with a certificate.
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::size_t subscribers() const;
    /// The value of a header of the last handshake.
    [[nodiscard]] std::string header(const std::string& name) const;
    [[nodiscard]] std::size_t pings() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace fencepost::test
