// Private to src/http: the byte stream of one connection, with or without TLS. Only connection.cpp and tls_context.cpp
// include the TLS library.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "base/async/task.hpp"
#include "http/tls_context.hpp"

namespace fencepost::http {

/// cancel() ends every pending operation, which then reports failure.
class Connection {
public:
    /// Without `tls`: a plain connection. `tls` must outlive it.
    Connection(asio::ip::tcp::socket socket, TlsContext* tls);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    enum class Handshake { done, failed, plain_http };
    /// Call it first. Without TLS it does nothing. A client that speaks plain HTTP to a TLS server can be answered: the
    /// connection is plain from then on.
    [[nodiscard]] Task<Handshake> handshake();

    /// The number of bytes read; none at the end of the connection.
    [[nodiscard]] Task<std::optional<std::size_t>> read_some(std::span<char> buffer);
    /// Whether everything was written.
    [[nodiscard]] Task<bool> write(std::string head, std::string body);
    /// Closes the sending direction. Returns whether the client may still be read from.
    [[nodiscard]] Task<bool> finish_writing();
    /// Below TLS: reads and discards more bytes. Whether there were any.
    [[nodiscard]] Task<bool> discard_some();

    void cancel();

    [[nodiscard]] Executor executor();

    [[nodiscard]] bool is_tls() const { return tls_ != nullptr; }
    /// The client's address, for logs and for limits.
    [[nodiscard]] const std::string& peer() const { return peer_; }
    /// After the handshake: the common name of the client certificate, printable; empty without one.
    [[nodiscard]] std::string client_certificate() const;

private:
    struct Tls;

    asio::ip::tcp::socket socket_;
    bool ended_ = false;  // end of stream: a further read in Asio would never return
    std::unique_ptr<Tls> tls_;
    std::string peer_;
};

}  // namespace fencepost::http
