#include "http/connection.hpp"

#include <array>
#include <openssl/ssl.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "base/async/as_result.hpp"
#include "base/text/printable.hpp"
#include "http/tls_context_impl.hpp"

namespace fencepost::http {
namespace {

using asio::ip::tcp;
using boost::system::error_code;

std::string address_of(const tcp::socket& socket) {
    error_code gone;
    const auto endpoint = socket.remote_endpoint(gone);
    return gone ? std::string() : endpoint.address().to_string();
}

}  // namespace

struct Connection::Tls {
    Tls(tcp::socket& socket, asio::ssl::context& context) : stream(socket, context) {}

    asio::ssl::stream<tcp::socket&> stream;
};

Connection::Connection(tcp::socket socket, TlsContext* tls) : socket_(std::move(socket)), peer_(address_of(socket_)) {
    // Responses are written whole, so Nagle's algorithm would only delay them. A failure to disable it is harmless.
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    if (tls != nullptr) tls_ = std::make_unique<Tls>(socket_, tls->context);
}

Connection::~Connection() = default;

Task<Connection::Handshake> Connection::handshake() {
    if (!tls_) co_return Handshake::done;
    const auto [error] = co_await tls_->stream.async_handshake(asio::ssl::stream_base::server, as_result);
    if (!error) co_return Handshake::done;
    const bool plain = error.category() == asio::error::get_ssl_category() &&
                       ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST;
    if (!plain) co_return Handshake::failed;
    tls_.reset();
    co_return Handshake::plain_http;
}

Task<std::optional<std::size_t>> Connection::read_some(std::span<char> buffer) {
    if (ended_) co_return std::nullopt;
    const auto into = asio::buffer(buffer.data(), buffer.size());
    const auto [error, size] = tls_ ? co_await tls_->stream.async_read_some(into, as_result)
                                    : co_await socket_.async_read_some(into, as_result);
    ended_ = error && error != asio::error::operation_aborted;
    if (error) co_return std::nullopt;
    co_return size;
}

Task<bool> Connection::write(std::string head, std::string body) {
    const std::array buffers{asio::const_buffer(asio::buffer(head)), asio::const_buffer(asio::buffer(body))};
    const auto [error, size] = tls_ ? co_await asio::async_write(tls_->stream, buffers, as_result)
                                    : co_await asio::async_write(socket_, buffers, as_result);
    co_return !error;
}

Task<bool> Connection::finish_writing() {
    if (tls_) {
        // Also sends TLS close_notify, so that the client knows that the response was not truncated.
        const auto [error] = co_await tls_->stream.async_shutdown(as_result);
        if (error == asio::error::operation_aborted) co_return false;
    }
    error_code failed;
    socket_.shutdown(tcp::socket::shutdown_send, failed);
    co_return !failed;
}

Task<bool> Connection::discard_some() {
    if (ended_) co_return false;
    std::array<char, 4096> forgotten{};
    const auto [error, size] = co_await socket_.async_read_some(asio::buffer(forgotten), as_result);
    co_return !error;
}

void Connection::cancel() {
    error_code ignored;  // the connection is being closed
    socket_.cancel(ignored);
}

Executor Connection::executor() { return socket_.get_executor(); }

std::string Connection::client_certificate() const {
    const auto* const certificate = tls_ ? SSL_get0_peer_certificate(tls_->stream.native_handle()) : nullptr;
    if (certificate == nullptr) return {};
    constexpr std::size_t max_length = 64;  // the limit of X.520
    std::array<char, 4 * max_length + 1> name{};
    auto* const subject = X509_get_subject_name(certificate);
    const int length = X509_NAME_get_text_by_NID(subject, NID_commonName, name.data(), name.size());
    if (length <= 0) return {};
    return printable(as_bytes({name.data(), static_cast<std::size_t>(length)}), max_length);
}

}  // namespace fencepost::http
