#include "support/scripted_rpc_server.hpp"

#include <array>
#include <deque>
#include <list>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/async/as_result.hpp"
#include "base/async/task_group.hpp"
#include "http/message/request_parser.hpp"
#include "support/scripted_answers.hpp"

namespace fencepost::test {
namespace {

using asio::ip::tcp;

// An accepted connection, with or without TLS.
class Peer {
public:
    Peer(tcp::socket socket, asio::ssl::context* tls) : socket_(std::move(socket)) {
        boost::system::error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
        if (tls != nullptr) tls_.emplace(socket_, *tls);
    }

    Task<bool> handshake() {
        if (!tls_) co_return true;
        const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, as_result);
        co_return !error;
    }

    /// Empty when the connection has ended.
    Task<std::string> read_some() {
        std::string buffer(16384, '\0');
        auto [error, size] = tls_ ? co_await tls_->async_read_some(asio::buffer(buffer), as_result)
                                  : co_await socket_.async_read_some(asio::buffer(buffer), as_result);
        buffer.resize(error ? 0 : size);
        co_return buffer;
    }

    Task<bool> write(std::string bytes) {
        auto [error, size] = tls_ ? co_await asio::async_write(*tls_, asio::buffer(bytes), as_result)
                                  : co_await asio::async_write(socket_, asio::buffer(bytes), as_result);
        co_return !error;
    }

    void close() {
        boost::system::error_code ignored;
        socket_.shutdown(tcp::socket::shutdown_both, ignored);
        socket_.close(ignored);
    }

    void reset() {
        boost::system::error_code ignored;
        socket_.set_option(asio::socket_base::linger(true, 0), ignored);
        socket_.close(ignored);
    }

    bool idle = true;  // no request is in progress

private:
    tcp::socket socket_;
    std::optional<asio::ssl::stream<tcp::socket&>> tls_;
};

std::optional<asio::ssl::context> tls_of(const std::optional<TestCertificate>& certificate) {
    if (!certificate) return std::nullopt;
    asio::ssl::context tls(asio::ssl::context::tls_server);
    tls.use_certificate_chain(asio::buffer(certificate->certificate_pem));
    tls.use_private_key(asio::buffer(certificate->key_pem), asio::ssl::context::pem);
    return tls;
}

constexpr auto json_type = "application/json";

}  // namespace

std::string ReceivedRequest::header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
        if (boost::algorithm::iequals(key, name)) return value;
    }
    return "";
}

struct ScriptedRpcServer::Impl {
    using Shared = std::shared_ptr<Impl>;

    Impl(const Executor& executor_in, Clock& clock_in, const Options& options)
        : executor(executor_in),
          clock(clock_in),
          tls(tls_of(options.certificate)),
          acceptor(executor),
          endpoint(options.ipv6 ? tcp::endpoint(asio::ip::address_v6::loopback(), 0)
                                : tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
          tasks(executor) {}

    static void listen(const Shared& self) {
        self->acceptor = tcp::acceptor(self->executor, self->endpoint);
        self->endpoint = self->acceptor.local_endpoint();
        self->tasks.spawn(accept(self));
    }

    static Task<void> accept(Shared self) {
        for (;;) {
            auto [error, socket] = co_await self->acceptor.async_accept(as_result);
            if (error) co_return;
            self->tasks.spawn(serve(self, std::move(socket), ++self->accepted));
        }
    }

    static Task<void> serve(Shared self, tcp::socket socket, std::size_t number);
    static Task<bool> respond(Shared self, Peer* peer, Behaviour behaviour, ParsedCalls calls);
    static Task<bool> answer_calls(Shared self, Peer* peer, Behaviour behaviour, ParsedCalls calls);
    static Task<bool> write_slowly(Shared self, Peer* peer, std::string bytes, Duration pause);
    static Task<bool> write_huge_body(Peer* peer, std::size_t size);

    Behaviour take_behaviour() {
        if (queue.empty()) return usual;
        auto behaviour = std::move(queue.front());
        queue.pop_front();
        return behaviour;
    }

    ParsedCalls record(http::Request request, std::size_t connection) {
        auto calls = parse_calls(request.body);
        ReceivedRequest one{.target = request.path + (request.query.empty() ? "" : "?" + request.query),
                            .headers = {request.headers.begin(), request.headers.end()},
                            .body = std::move(request.body),
                            .methods = methods_of(calls),
                            .is_batch = calls.is_batch,
                            .connection = connection};
        received.push_back(std::move(one));
        return calls;
    }

    Executor executor;
    Clock& clock;
    std::optional<asio::ssl::context> tls;
    tcp::acceptor acceptor;
    tcp::endpoint endpoint;
    CallHandler handler = [](std::string_view method, const auto&) { return CallResult(method); };
    std::deque<Behaviour> queue;
    Behaviour usual;
    std::vector<ReceivedRequest> received;
    std::size_t accepted = 0;
    std::list<Peer> peers;
    TaskGroup tasks;
};

Task<void> ScriptedRpcServer::Impl::serve(Shared self, tcp::socket socket, std::size_t number) {
    struct PeerRegistration {
        Impl& impl;
        std::list<Peer>::iterator peer;
        ~PeerRegistration() { impl.peers.erase(peer); }
    };
    auto* const tls = self->tls ? &*self->tls : nullptr;
    const PeerRegistration registration{*self, self->peers.emplace(self->peers.end(), std::move(socket), tls)};
    auto* const peer = &*registration.peer;
    if (!co_await peer->handshake()) co_return;
    http::RequestParser parser({.body_bytes = std::size_t{64} * 1024 * 1024});
    for (bool open = true; open;) {
        const auto stage = parser.advance();
        if (!stage) co_return;
        if (*stage == http::RequestStage::complete) {
            peer->idle = false;
            auto calls = self->record(parser.take().request, number);
            open = co_await respond(self, peer, self->take_behaviour(), std::move(calls));
            peer->idle = true;
            continue;
        }
        const auto bytes = co_await peer->read_some();
        if (bytes.empty()) co_return;
        parser.feed(bytes);
    }
    peer->close();
}

// Returns whether the connection stays open.
Task<bool> ScriptedRpcServer::Impl::respond(Shared self, Peer* peer, Behaviour behaviour, ParsedCalls calls) {
    const auto wait = behaviour.text.empty() ? "" : fmt::format("Retry-After: {}\r\n", behaviour.text);
    switch (behaviour.mode) {
        case AnswerMode::rate_limited:
            co_return co_await peer->write(http_response(429, "text/plain", "slow down", wait));
        case AnswerMode::http_status:
            co_return co_await peer->write(http_response(behaviour.status, json_type, behaviour.text));
        case AnswerMode::raw:
            co_return co_await peer->write(behaviour.text);
        case AnswerMode::huge_body:
            co_return co_await write_huge_body(peer, behaviour.size);
        case AnswerMode::huge_length:
            co_return co_await peer->write(
                fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", behaviour.size));
        case AnswerMode::answer:
        case AnswerMode::reversed:
        case AnswerMode::missing_last:
        case AnswerMode::duplicate_ids:
        case AnswerMode::wrong_id:
        case AnswerMode::both_members:
        case AnswerMode::one_error:
        case AnswerMode::html:
        case AnswerMode::half_answer:
        case AnswerMode::close:
        case AnswerMode::reset:
        case AnswerMode::silence:
        case AnswerMode::slow_drip:
        case AnswerMode::deep_json:
        case AnswerMode::late:
        case AnswerMode::last_answer:
            co_return co_await answer_calls(self, peer, std::move(behaviour), std::move(calls));
    }
    co_return false;
}

// For behaviours in which the calls are executed, whatever happens to the answer.
Task<bool> ScriptedRpcServer::Impl::answer_calls(Shared self, Peer* peer, Behaviour behaviour, ParsedCalls calls) {
    const auto mode = behaviour.mode;
    const auto* const type = mode == AnswerMode::html ? "text/html" : "application/json";
    const auto response = http_response(200, type, answer_body(calls, behaviour, self->handler));
    if (mode == AnswerMode::close) co_return false;
    if (mode == AnswerMode::reset) {
        peer->reset();
        co_return false;
    }
    if (mode == AnswerMode::silence) {
        while (!(co_await peer->read_some()).empty()) {
        }
        co_return false;
    }
    if (mode == AnswerMode::half_answer) {
        co_await peer->write(response.substr(0, response.size() - response.size() / 8 - 1));
        co_return false;
    }
    if (mode == AnswerMode::slow_drip) co_return co_await write_slowly(self, peer, response, behaviour.pause);
    if (mode == AnswerMode::late) co_await self->clock.sleep_for(behaviour.pause);
    const bool sent = co_await peer->write(response);
    co_return sent&& mode != AnswerMode::last_answer;
}

Task<bool> ScriptedRpcServer::Impl::write_slowly(Shared self, Peer* peer, std::string bytes, Duration pause) {
    for (const char byte : bytes) {
        if (!co_await peer->write(std::string(1, byte))) co_return false;
        co_await self->clock.sleep_for(pause);
    }
    co_return true;
}

Task<bool> ScriptedRpcServer::Impl::write_huge_body(Peer* peer, std::size_t size) {
    constexpr std::size_t chunk_size = 65536;
    bool open = co_await peer->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\"\r\n");
    for (std::size_t sent = 0; open && sent < size; sent += chunk_size)
        open = co_await peer->write(fmt::format("{:x}\r\n{}\r\n", chunk_size, std::string(chunk_size, 'a')));
    co_return open&& co_await peer->write("1\r\n\"\r\n0\r\n\r\n");
}

ScriptedRpcServer::ScriptedRpcServer(const Executor& executor, Clock& clock, const Options& options)
    : impl_(std::make_shared<Impl>(executor, clock, options)) {
    Impl::listen(impl_);
}
ScriptedRpcServer::ScriptedRpcServer(const Executor& executor, Clock& clock)
    : ScriptedRpcServer(executor, clock, Options{}) {}
ScriptedRpcServer::~ScriptedRpcServer() = default;

Task<void> ScriptedRpcServer::stop() {
    impl_->acceptor.close();
    impl_->tasks.cancel();
    return impl_->tasks.join();
}

void ScriptedRpcServer::on_call(CallHandler handler) { impl_->handler = std::move(handler); }
void ScriptedRpcServer::next(Behaviour behaviour) { impl_->queue.push_back(std::move(behaviour)); }
void ScriptedRpcServer::always(Behaviour behaviour) { impl_->usual = std::move(behaviour); }

void ScriptedRpcServer::close_idle_connections() {
    for (auto& peer : impl_->peers) {
        if (peer.idle) peer.close();
    }
}

void ScriptedRpcServer::go_down() {
    impl_->acceptor.close();
    for (auto& peer : impl_->peers)
        peer.reset();
}

void ScriptedRpcServer::come_back() { Impl::listen(impl_); }

std::uint16_t ScriptedRpcServer::port() const { return impl_->endpoint.port(); }

std::string ScriptedRpcServer::url() const {
    return fmt::format("{}://{}:{}", impl_->tls ? "https" : "http",
                       impl_->endpoint.address().is_v6() ? "[::1]" : "127.0.0.1", port());
}

const std::vector<ReceivedRequest>& ScriptedRpcServer::received() const { return impl_->received; }

std::size_t ScriptedRpcServer::calls_of(std::string_view method) const {
    std::size_t calls = 0;
    for (const auto& request : impl_->received)
        calls += static_cast<std::size_t>(std::ranges::count(request.methods, method));
    return calls;
}

std::size_t ScriptedRpcServer::accepted_connections() const { return impl_->accepted; }
std::size_t ScriptedRpcServer::open_connections() const { return impl_->peers.size(); }

}  // namespace fencepost::test
