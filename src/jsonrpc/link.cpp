// Reads and writes on a plain or TLS socket.
#include "jsonrpc/link.hpp"

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "base/async/as_result.hpp"

namespace fencepost::jsonrpc {

Link::Link(Socket socket) : stream_(std::move(socket)) {}
Link::Link(Socket socket, asio::ssl::context& tls) : stream_(std::in_place_type<TlsStream>, std::move(socket), tls) {}

Socket& Link::socket() {
    auto* const tls = std::get_if<TlsStream>(&stream_);
    return tls != nullptr ? tls->next_layer() : std::get<Socket>(stream_);
}

Task<Status<Failure>> Link::handshake(std::string host) {
    auto* const tls = std::get_if<TlsStream>(&stream_);
    if (tls == nullptr) co_return Status<Failure>{};
    expect_host(*tls, host);
    const auto [error] = co_await tls->async_handshake(asio::ssl::stream_base::client, as_result);
    if (error) co_return err(handshake_failure(*tls, error));
    co_return Status<Failure>{};
}

Task<boost::system::error_code> Link::write(std::string bytes) {
    auto* const tls = std::get_if<TlsStream>(&stream_);
    const auto [error, size] =
        tls != nullptr ? co_await asio::async_write(*tls, asio::buffer(bytes), as_result)
                       : co_await asio::async_write(std::get<Socket>(stream_), asio::buffer(bytes), as_result);
    co_return error;
}

Task<Link::Read> Link::read_some() {
    auto* const tls = std::get_if<TlsStream>(&stream_);
    const auto [error, size] =
        tls != nullptr ? co_await tls->async_read_some(asio::buffer(buffer_), as_result)
                       : co_await std::get<Socket>(stream_).async_read_some(asio::buffer(buffer_), as_result);
    co_return Read{.error = error, .bytes = {buffer_.data(), error ? 0 : size}};
}

bool Link::is_quiet() {
    boost::system::error_code error;
    socket().non_blocking(true, error);
    if (error) return false;
    char byte = 0;
    socket().receive(asio::buffer(&byte, 1), Socket::message_peek, error);
    return error == asio::error::would_block;
}

}  // namespace fencepost::jsonrpc
