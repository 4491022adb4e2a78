#include "http/session.hpp"

#include <string>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "base/assert.hpp"
#include "base/task_group.hpp"
#include "http/response_head.hpp"

namespace fencepost::http {
namespace {

// How long a closed connection is still read from, so that the client sees the last answer (see linger()).
constexpr Duration linger_time = std::chrono::seconds(1);

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

std::string message_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "unknown exception";
    }
}

}  // namespace

Session::Session(asio::ip::tcp::socket socket, Clock& clock, const Router& router, const ServerOptions& options)
    : socket_(std::move(socket)),
      clock_(clock),
      router_(router),
      options_(options),
      parser_(options.request) {
    // Answers are written whole; waiting to fill a segment would only delay them. If it cannot be set, they come later.
    boost::system::error_code ignored;
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    allow(options_.time.header);
}

Task<void> Session::serve() {
    for (bool open = true; open;) {
        auto incoming = co_await next_request();
        if (!incoming) {
            auto& last_words = incoming.error().last_words;
            if (last_words && co_await send(std::move(*last_words), false, true)) co_await linger();
            co_return;
        }
        answering_ = true;
        const bool with_body = incoming->request.method != Method::head;
        auto response = co_await answer(std::move(incoming->request));
        open = incoming->keep_alive && !draining_;
        if (!co_await send(std::move(response), open, with_body)) co_return;
        answering_ = false;
        allow(options_.time.idle);
    }
    co_await linger();
}

Task<void> Session::refuse() {
    auto response =
        problem(ProblemKind::too_many_connections, "Close connections that are not in use, or try again later.");
    response.headers.add("Retry-After", "1");
    if (co_await send(std::move(response), false, true)) co_await linger();
}

void Session::close_if_overdue(Instant now) {
    if (now < deadline_) return;
    overdue_ = true;
    boost::system::error_code ignored;  // it is being closed anyway
    socket_.cancel(ignored);
}

void Session::drain() {
    draining_ = true;
    boost::system::error_code ignored;
    if (!answering_) socket_.cancel(ignored);
}

Task<Result<IncomingRequest, Session::Ended>> Session::next_request() {
    bool told_to_go_on = false;
    for (auto last = RequestStage::idle; !draining_;) {
        const auto stage = parser_.advance();
        if (!stage) co_return err(Ended{problem(stage.error().kind, stage.error().detail)});
        if (*stage == RequestStage::complete) co_return parser_.take();
        // Only forward: a client that sends empty lines for ever must not win time with each.
        if (*stage > last) allow(limit(last = *stage));

        if (*stage == RequestStage::body && parser_.client_waits() && !std::exchange(told_to_go_on, true)) {
            if (!co_await write("HTTP/1.1 100 Continue\r\n\r\n", "")) co_return err(Ended{});
        }
        if (!co_await read_more()) co_return err(ended_while(*stage));
    }
    co_return err(Ended{});
}

Task<bool> Session::read_more() {
    const auto [error, size] = co_await socket_.async_read_some(asio::buffer(buffer_), as_result);
    if (!error) parser_.feed({buffer_.data(), size});
    co_return !error;
}

// The handler may take its time. Its exceptions are mistakes of ours (expected outcomes are responses), and one mistake
// must not end the other callers' connections.
Task<Response> Session::answer(Request request) {
    deadline_ = Instant::max();
    std::exception_ptr error;
    try {
        co_return co_await router_.answer(std::move(request));
    } catch (...) {
        error = std::current_exception();
    }
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    const bool cancelled = cancellation.cancelled() != asio::cancellation_type::none;
    if (cancelled && is_cancellation(error)) std::rethrow_exception(error);
    options_.on_fault(message_of(error));
    co_return problem(ProblemKind::internal_error, "This is a fault of the server; its log says more.");
}

Task<bool> Session::send(Response response, bool keep_alive, bool with_body) {
    allow(options_.time.response);
    auto head = response_head(response, keep_alive, clock_.unix_now());
    co_return co_await write(std::move(head), with_body ? std::move(response.body) : std::string());
}

Task<bool> Session::write(std::string head, std::string body) {
    const std::array buffers{asio::const_buffer(asio::buffer(head)), asio::const_buffer(asio::buffer(body))};
    const auto [error, size] = co_await asio::async_write(socket_, buffers, as_result);
    co_return !error;
}

// Closing a socket with unread bytes resets the connection, and a reset makes the client's system throw away an answer
// its program has not read yet. So: no more from us, then read and forget until the client closes or the time is up
// (RFC 9112, section 9.6).
Task<void> Session::linger() {
    allow(linger_time);
    boost::system::error_code failed;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, failed);
    while (!failed && !draining_ && !overdue_) {
        const auto [error, size] = co_await socket_.async_read_some(asio::buffer(buffer_), as_result);
        failed = error;
    }
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

// A client that went away, or that never began a request, is not waiting for an answer.
Session::Ended Session::ended_while(RequestStage stage) const {
    if (!overdue_ || stage == RequestStage::idle) return {};
    return {problem(ProblemKind::request_timeout, "Send the whole request at once.")};
}

}  // namespace fencepost::http
