#include "http/session.hpp"

#include <string>
#include <utility>

#include "base/assert.hpp"
#include "base/async/cancellation.hpp"
#include "base/async/caught.hpp"
#include "base/async/task_group.hpp"
#include "http/client_watch.hpp"
#include "http/message/response_head.hpp"

namespace fencepost::http {
namespace {

// How long to read from a connection that is being closed, so that the client gets the last response (see linger()).
constexpr Duration linger_time = std::chrono::seconds(1);

Response overloaded() {
    auto response = problem(ProblemKind::overloaded, "The server is overloaded; retry later.");
    response.headers.add("Retry-After", "1");
    return response;
}

}  // namespace

Session::Session(asio::ip::tcp::socket socket, const asio::ip::address& peer, const SharedState& shared_state)
    : clock_(shared_state.clock),
      router_(shared_state.router),
      options_(shared_state.options),
      connection_(std::move(socket), shared_state.tls),
      parser_(std::in_place, options_.request),
      body_(shared_state.limiter, peer),
      limiter_(shared_state.limiter) {
    allow(options_.time.header);
}

Task<void> Session::serve() {
    if (!co_await do_handshake()) co_return;
    for (bool open = true; open;) {
        auto incoming = co_await next_request();
        if (!incoming) {
            // The received bytes are of no further use, and the client may be slow to read the response.
            parser_.reset();
            body_.forget();
            auto& final_response = incoming.error().final_response;
            if (final_response && co_await send(std::move(*final_response), false, true)) co_await linger();
            co_return;
        }
        open = co_await serve_request(*std::move(incoming));
    }
}

Task<void> Session::refuse() {
    if (connection_.is_tls()) co_return;
    auto response =
        problem(ProblemKind::too_many_connections, "Close connections that are not in use, or try again later.");
    response.headers.add("Retry-After", "1");
    if (co_await send(std::move(response), false, true)) co_await linger();
}

Task<bool> Session::do_handshake() {
    switch (co_await connection_.handshake()) {
        case Connection::Handshake::done:
            co_return true;
        case Connection::Handshake::failed:
            co_return false;
        case Connection::Handshake::plain_http:
            break;
    }
    auto response = problem(ProblemKind::malformed_request, "This port speaks TLS; write https:// instead of http://.");
    if (co_await send(std::move(response), false, true)) co_await linger();
    co_return false;
}

// Handles one request. Returns whether the connection stays open.
Task<bool> Session::serve_request(IncomingRequest incoming) {
    answering_ = true;
    const bool with_body = incoming.request.method != Method::head;
    bool keep_alive = false;
    {
        const ConnectionLimiter::Request counted(limiter_);
        const bool admitted = limiter_.admits(incoming.request.path);
        auto response = admitted ? co_await answer(std::move(incoming.request)) : overloaded();
        keep_alive = incoming.keep_alive && !draining_;
        if (!co_await send(std::move(response), keep_alive, with_body)) co_return false;
    }
    answering_ = false;
    body_.forget();
    if (!keep_alive) co_await linger();
    allow(options_.time.idle);
    co_return keep_alive;
}

void Session::close_if_overdue(Instant now) {
    if (now < deadline_) return;
    overdue_ = true;
    connection_.cancel();
}

void Session::drain() {
    draining_ = true;
    if (!answering_) connection_.cancel();
}

Task<Result<IncomingRequest, Session::Ended>> Session::next_request() {
    bool sent_continue = false;
    for (auto last = RequestStage::idle; !draining_;) {
        const auto stage = parser_->advance();
        if (!stage) co_return err(Ended{problem(stage.error().kind, stage.error().detail)});
        if (*stage == RequestStage::complete) co_return parser_->take();
        if (!body_.fits()) co_return err(Ended{overloaded()});
        // Only when the stage advances: a client that keeps sending empty lines must not extend its time.
        if (*stage > last) allow(limit(last = *stage));

        if (*stage == RequestStage::body && parser_->client_waits() && !std::exchange(sent_continue, true)) {
            if (!co_await connection_.write("HTTP/1.1 100 Continue\r\n\r\n", "")) co_return err(Ended{});
        }
        if (!co_await read_more()) co_return err(ended_while(*stage));
    }
    co_return err(Ended{});
}

Task<bool> Session::read_more() {
    const auto size = co_await connection_.read_some(buffer_);
    if (!size) co_return false;
    parser_->feed({buffer_.data(), *size});
    body_.grow(*size);
    co_return true;
}

// The handler's time is not limited. Its exceptions are programming errors (expected outcomes are responses), and must
// not end the other callers' connections.
Task<Response> Session::answer(Request request) {
    deadline_ = Instant::max();
    request.peer = connection_.peer();
    request.client_certificate = connection_.client_certificate();
    std::exception_ptr error;
    try {
        co_return co_await handle(std::move(request));
    } catch (...) {
        error = std::current_exception();
    }
    if (is_cancellation(error)) co_await throw_on_if_cancelled(error);
    options_.on_fault(what_of(error));
    co_return problem(ProblemKind::internal_error, "Internal error; the server's log has the details.");
}

// Watches the client, for a handler that wants to know whether it is still connected.
Task<Response> Session::handle(Request request) {
    ClientWatch watch(connection_, buffer_, *parser_);
    request.client = &watch;
    std::exception_ptr error;
    std::optional<Response> response;
    try {
        response = co_await router_.answer(std::move(request));
    } catch (...) {
        error = std::current_exception();
    }
    if (watch.has_begun()) {
        // Needed after a cancellation of this task, too: awaiting would then throw.
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await watch.stop();
        co_await asio::this_coro::throw_if_cancelled(true);
    }
    if (error) std::rethrow_exception(error);
    co_return *std::move(response);
}

Task<bool> Session::send(Response response, bool keep_alive, bool with_body) {
    allow(options_.time.response);
    auto head = response_head(response, keep_alive, clock_.unix_now());
    co_return co_await connection_.write(std::move(head), with_body ? std::move(response.body) : std::string());
}

// Closing a socket with unread bytes resets the connection, and the reset makes the client discard a response that it
// has not read yet. Therefore close the sending direction, then read and discard until the client closes or the time is
// over (RFC 9112, section 9.6).
Task<void> Session::linger() {
    allow(linger_time);
    bool open = co_await connection_.finish_writing();
    while (open && !draining_ && !overdue_)
        open = co_await connection_.discard_some();
}

void Session::allow(Duration limit) {
    deadline_ = clock_.monotonic() + limit;
    overdue_ = false;
}

Duration Session::limit(RequestStage stage) const {
    switch (stage) {
        case RequestStage::header:
            return options_.time.header;
        case RequestStage::body:
            return options_.time.body;
        case RequestStage::idle:
        case RequestStage::complete:
            break;
    }
    FP_UNREACHABLE();
}

// A client that disconnected, or that never started a request, does not wait for a response.
Session::Ended Session::ended_while(RequestStage stage) const {
    if (!overdue_ || stage == RequestStage::idle) return {};
    return {problem(ProblemKind::request_timeout, "Send the whole request at once.")};
}

}  // namespace fencepost::http
