// WebSocket over a plain or TLS socket, on Beast.
#include "jsonrpc/ws_stream.hpp"

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <fmt/format.h>

#include "base/async/as_result.hpp"
#include "jsonrpc/http_response.hpp"

namespace fencepost::jsonrpc {
namespace {

namespace websocket = boost::beast::websocket;

Failure broken(const boost::system::error_code& error) {
    if (error == websocket::error::message_too_big || error == websocket::error::buffer_overflow) {
        return {Failure::Kind::malformed, "a message is too long"};
    }
    if (error == websocket::error::closed) return {Failure::Kind::unreachable, "the server closed the connection"};
    return {Failure::Kind::unreachable, fmt::format("the connection broke: {}", error.message())};
}

Failure declined(const websocket::response_type& response, const boost::system::error_code& error) {
    constexpr unsigned status_switching = 101;
    const auto status = response.result_int();
    if (error != websocket::error::upgrade_declined || status == status_switching) {
        return {Failure::Kind::unreachable, fmt::format("no WebSocket connection: {}", error.message())};
    }
    const auto kind = status == status_too_many_requests ? Failure::Kind::rate_limited : Failure::Kind::http_error;
    return {kind, fmt::format("the server refused a WebSocket connection with status {}", status)};
}

Socket& socket_of(Socket& socket) { return socket; }
Socket& socket_of(TlsStream& stream) { return stream.next_layer(); }

template <typename Next>
class WsStreamOver final : public WsStream {
public:
    template <typename... Args>
    explicit WsStreamOver(const WsStreamOptions& options, Args&&... args) : stream_(std::forward<Args>(args)...) {
        stream_.read_message_max(options.max_message_bytes);
        stream_.control_callback([heard = options.on_ping_or_pong](auto, auto) { heard(); });
    }

    Task<Status<Failure>> handshake(Url url, Headers headers) override {
        if constexpr (std::is_same_v<Next, TlsStream>) {
            auto& tls = stream_.next_layer();
            expect_host(tls, url.host);
            const auto [error] = co_await tls.async_handshake(asio::ssl::stream_base::client, as_result);
            if (error) co_return err(handshake_failure(tls, error));
        }
        if (!url.authorization.empty()) headers.emplace_back("Authorization", url.authorization);
        stream_.set_option(websocket::stream_base::decorator([headers](websocket::request_type& request) {
            for (const auto& [name, value] : headers)
                request.set(name, value);
        }));
        websocket::response_type response;
        const auto [error] = co_await stream_.async_handshake(response, url.authority(), url.target, as_result);
        if (error) co_return err(declined(response, error));
        co_return Status<Failure>{};
    }

    Task<Status<Failure>> write(std::string message) override {
        const auto [error, size] = co_await stream_.async_write(asio::buffer(message), as_result);
        if (error) co_return err(broken(error));
        co_return Status<Failure>{};
    }

    Task<Result<std::string, Failure>> read() override {
        boost::beast::flat_buffer buffer;
        const auto [error, size] = co_await stream_.async_read(buffer, as_result);
        if (error) co_return err(broken(error));
        co_return boost::beast::buffers_to_string(buffer.data());
    }

    Task<Status<Failure>> ping() override {
        const auto [error] = co_await stream_.async_ping({}, as_result);
        if (error) co_return err(broken(error));
        co_return Status<Failure>{};
    }

    void abort() override {
        boost::system::error_code ignored;
        socket_of(stream_.next_layer()).close(ignored);
    }

private:
    websocket::stream<Next> stream_;
};

}  // namespace

std::unique_ptr<WsStream> make_ws_stream(Socket socket, const WsStreamOptions& options) {
    return std::make_unique<WsStreamOver<Socket>>(options, std::move(socket));
}

std::unique_ptr<WsStream> make_ws_stream(Socket socket, asio::ssl::context& tls, const WsStreamOptions& options) {
    return std::make_unique<WsStreamOver<TlsStream>>(options, std::move(socket), tls);
}

}  // namespace fencepost::jsonrpc
