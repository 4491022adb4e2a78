#include "support/scripted_ws_server.hpp"

#include <list>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/async/as_result.hpp"
#include "base/async/task_group.hpp"

namespace fencepost::test {
namespace {

namespace http = boost::beast::http;
namespace json = boost::json;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using TlsStream = asio::ssl::stream<tcp::socket>;
using Handshake = http::request<http::string_body>;

tcp::socket& socket_of(tcp::socket& socket) { return socket; }
tcp::socket& socket_of(TlsStream& stream) { return stream.next_layer(); }

// Operations on a connection, independent of its transport.
class Subscriber {
public:
    virtual ~Subscriber() = default;
    virtual Task<void> send(std::string text) = 0;
    virtual Task<void> close() = 0;
    virtual void reset() = 0;
};

template <typename Next>
class SubscriberOver final : public Subscriber {
public:
    explicit SubscriberOver(Next next) : stream(std::move(next)) {}

    Task<void> send(std::string text) override { co_await stream.async_write(asio::buffer(text), as_result); }
    Task<void> close() override { co_await stream.async_close(websocket::close_code::going_away, as_result); }
    void reset() override {
        boost::system::error_code ignored;
        auto& socket = socket_of(stream.next_layer());
        socket.set_option(asio::socket_base::linger(true, 0), ignored);
        socket.close(ignored);
    }

    websocket::stream<Next> stream;
};

}  // namespace

struct ScriptedWsServer::Impl {
    using Shared = std::shared_ptr<Impl>;

    Impl(const Executor& executor, Clock& clock_in, Options options_in)
        : clock(clock_in),
          options(std::move(options_in)),
          acceptor(executor, {asio::ip::address_v4::loopback(), 0}),
          port(acceptor.local_endpoint().port()),
          tasks(executor) {
        if (!options.certificate) return;
        tls.emplace(asio::ssl::context::tls_server);
        tls->use_certificate_chain(asio::buffer(options.certificate->certificate_pem));
        tls->use_private_key(asio::buffer(options.certificate->key_pem), asio::ssl::context::pem);
    }

    static Task<void> accept(Shared self) {
        for (;;) {
            auto [error, socket] = co_await self->acceptor.async_accept(as_result);
            if (error) co_return;
            self->tasks.spawn(self->tls ? serve_tls(self, std::move(socket)) : serve(self, std::move(socket)));
        }
    }

    static Task<void> serve_tls(Shared self, tcp::socket socket) {
        TlsStream stream(std::move(socket), *self->tls);
        const auto [error] = co_await stream.async_handshake(asio::ssl::stream_base::server, as_result);
        if (!error) co_await serve(self, std::move(stream));
    }

    template <typename Next>
    static Task<void> serve(Shared self, Next next);
    template <typename Next>
    static Task<void> serve_calls(Shared self, std::shared_ptr<SubscriberOver<Next>> subscriber);

    Clock& clock;
    Options options;
    tcp::acceptor acceptor;
    std::uint16_t port;
    std::optional<asio::ssl::context> tls;
    std::list<std::shared_ptr<Subscriber>> subscribers;
    Handshake last_handshake;
    std::size_t pings = 0;
    TaskGroup tasks;
};

template <typename Next>
Task<void> ScriptedWsServer::Impl::serve(Shared self, Next next) {
    boost::beast::flat_buffer buffer;
    Handshake request;
    const auto [error, size] = co_await http::async_read(next, buffer, request, as_result);
    if (error || self->options.mode == WsMode::hang_up) co_return;
    self->last_handshake = request;
    if (self->options.mode == WsMode::no_ws) {
        http::response<http::string_body> response(http::status(self->options.status), 11);
        response.prepare_payload();
        co_await http::async_write(next, response, as_result);
        co_return;
    }
    const auto subscriber = std::make_shared<SubscriberOver<Next>>(std::move(next));
    const auto [refused] = co_await subscriber->stream.async_accept(request, as_result);
    if (!refused) co_await serve_calls(self, subscriber);
    std::erase(self->subscribers, subscriber);
}

template <typename Next>
Task<void> ScriptedWsServer::Impl::serve_calls(Shared self, std::shared_ptr<SubscriberOver<Next>> subscriber) {
    subscriber->stream.control_callback([state = self.get()](websocket::frame_type type, auto) {
        state->pings += type == websocket::frame_type::ping;
    });
    for (;;) {
        boost::beast::flat_buffer buffer;
        const auto [error, size] = co_await subscriber->stream.async_read(buffer, as_result);
        if (error) co_return;
        if (self->options.mode == WsMode::no_answer) continue;
        const auto call = json::parse(boost::beast::buffers_to_string(buffer.data()));
        json::object answer{{"jsonrpc", "2.0"}, {"id", call.at("id")}};
        if (self->options.mode == WsMode::refuse) {
            answer["error"] = json::object{{"code", -32601}, {"message", "notifications not supported"}};
        } else {
            answer["result"] = "0xcafe";
        }
        co_await subscriber->send(json::serialize(answer));
        self->subscribers.push_back(subscriber);
        while (self->options.mode == WsMode::deaf)
            co_await self->clock.sleep_for(std::chrono::hours(1));
    }
}

ScriptedWsServer::ScriptedWsServer(const Executor& executor, Clock& clock, Options options)
    : impl_(std::make_shared<Impl>(executor, clock, std::move(options))) {
    impl_->tasks.spawn(Impl::accept(impl_));
}
ScriptedWsServer::~ScriptedWsServer() = default;

Task<void> ScriptedWsServer::stop() {
    impl_->acceptor.close();
    reset_connections();
    impl_->tasks.cancel();
    return impl_->tasks.join();
}

Task<void> ScriptedWsServer::push(json::value head) {
    const json::object params{{"subscription", "0xcafe"}, {"result", std::move(head)}};
    return push_text(
        json::serialize(json::object{{"jsonrpc", "2.0"}, {"method", "eth_subscription"}, {"params", params}}));
}

Task<void> ScriptedWsServer::push_text(std::string text) {
    const auto all = impl_->subscribers;
    for (const auto& each : all)
        co_await each->send(text);
}

void ScriptedWsServer::reset_connections() {
    for (const auto& each : impl_->subscribers)
        each->reset();
}

Task<void> ScriptedWsServer::close_connections() {
    const auto all = impl_->subscribers;
    for (const auto& each : all)
        co_await each->close();
}

std::string ScriptedWsServer::url() const {
    return fmt::format("{}://127.0.0.1:{}", impl_->tls ? "wss" : "ws", impl_->port);
}
std::size_t ScriptedWsServer::subscribers() const { return impl_->subscribers.size(); }
std::string ScriptedWsServer::header(const std::string& name) const { return impl_->last_handshake[name]; }
std::size_t ScriptedWsServer::pings() const { return impl_->pings; }

}  // namespace fencepost::test
