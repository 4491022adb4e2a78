// Private to src/http: one connection, from its first byte to its last.
#pragma once

#include <array>
#include <optional>

#include <boost/asio/ip/tcp.hpp>

#include "http/connection.hpp"
#include "http/connection_limiter.hpp"
#include "http/message/request_parser.hpp"
#include "http/server.hpp"

namespace fencepost::http {

/// Time limits are checked from outside, by close_if_overdue(): one sweep over all connections now and then instead of
/// a timer set and cancelled several times per request.
class Session {
public:
    /// What all sessions of a server share, and what outlives them.
    struct Surroundings {
        Clock& clock;
        const Router& router;
        const ServerOptions& options;
        TlsContext* tls;
        Load& load;
    };

    /// The peer is whoever its bytes are counted for.
    Session(asio::ip::tcp::socket socket, const asio::ip::address& peer, const Surroundings& surroundings);

    /// Answers requests in order until the client or a limit ends the connection.
    [[nodiscard]] Task<void> serve();
    /// Says that there are too many connections, and closes. Over TLS it is closed without a word: a handshake costs
    /// more than the connection that is refused.
    [[nodiscard]] Task<void> refuse();

    /// Ends what the connection waits for, if that has taken too long.
    void close_if_overdue(Instant now);
    /// No further request: closes now, or after the answer to the request under way.
    void drain();

private:
    struct Ended {
        std::optional<Response> last_words;
    };

    Task<bool> shake_hands();
    Task<Result<IncomingRequest, Ended>> next_request();
    Task<bool> read_more();
    Task<bool> converse(IncomingRequest incoming);
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
    Load::Body body_;
    Load& load_;
    std::array<char, 8192> buffer_{};
    Instant deadline_ = Instant::max();
    bool overdue_ = false;
    bool answering_ = false;
    bool draining_ = false;
};

}  // namespace fencepost::http
