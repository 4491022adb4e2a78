// Private to src/http: serves one connection, from its first byte to its last.
#pragma once

#include <array>
#include <optional>

#include <boost/asio/ip/tcp.hpp>

#include "http/connection.hpp"
#include "http/connection_limiter.hpp"
#include "http/message/request_parser.hpp"
#include "http/server.hpp"

namespace fencepost::http {

/// Time limits are enforced from outside by close_if_overdue(): one periodic sweep over all connections is cheaper than
/// several timers per request.
class Session {
public:
    /// What all sessions of a server share; it outlives them.
    struct SharedState {
        Clock& clock;
        const Router& router;
        const ServerOptions& options;
        TlsContext* tls;
        ConnectionLimiter& limiter;
    };

    /// The connection is counted for this peer.
    Session(asio::ip::tcp::socket socket, const asio::ip::address& peer, const SharedState& shared_state);

    /// Answers requests in order until the client or a limit ends the connection.
    [[nodiscard]] Task<void> serve();
    /// Answers that there are too many connections, and closes. With TLS it closes without an answer: a handshake costs
    /// more than the refused connection.
    [[nodiscard]] Task<void> refuse();

    /// Closes the connection if its present step has exceeded its time limit.
    void close_if_overdue(Instant now);
    /// Accepts no further request: closes now, or after the response in progress.
    void drain();

private:
    struct Ended {
        std::optional<Response> final_response;
    };

    Task<bool> do_handshake();
    Task<Result<IncomingRequest, Ended>> next_request();
    Task<bool> read_more();
    Task<bool> serve_request(IncomingRequest incoming);
    Task<Response> answer(Request request);
    Task<Response> handle(Request request);
    Task<bool> send(Response response, bool keep_alive, bool with_body);
    Task<void> linger();

    void allow(Duration limit);
    [[nodiscard]] Duration limit(RequestStage stage) const;
    [[nodiscard]] Ended ended_while(RequestStage stage) const;

    Clock& clock_;
    const Router& router_;
    const ServerOptions& options_;
    Connection connection_;
    std::optional<RequestParser> parser_;
    ConnectionLimiter::Body body_;
    ConnectionLimiter& limiter_;
    std::array<char, 8192> buffer_{};
    Instant deadline_ = Instant::max();
    bool overdue_ = false;
    bool answering_ = false;
    bool draining_ = false;
};

}  // namespace fencepost::http
