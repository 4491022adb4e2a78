// Private to src/http: the bytes of one connection, with or without TLS. The TLS library is compiled into
// connection.cpp and tls_context.cpp alone.
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

/// What waits here ends early by cancel(), and then says that it failed.
class Connection {
public:
    /// Plain without `tls`, which must outlive it.
    Connection(asio::ip::tcp::socket socket, TlsContext* tls);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    enum class Handshake { done, failed, client_speaks_plainly };
    /// Must be done before anything else. Without TLS there is nothing to do. A client that speaks HTTP where TLS is
    /// wanted can be told so: the connection is plain from then on.
    [[nodiscard]] Task<Handshake> handshake();

    /// How many bytes came; nothing at the end of the connection.
    [[nodiscard]] Task<std::optional<std::size_t>> read_some(std::span<char> buffer);
    /// Whether all of it could be written.
    [[nodiscard]] Task<bool> write(std::string head, std::string body);
    /// Tells the client that nothing more follows. Whether it may still be listened to.
    [[nodiscard]] Task<bool> finish_writing();
    /// Past TLS: waits for more bytes and forgets them. Whether there were any.
    [[nodiscard]] Task<bool> forget_some();

    void cancel();

    [[nodiscard]] Executor executor();

    [[nodiscard]] bool is_tls() const { return tls_ != nullptr; }
    /// The client's address, for people and for counting.
    [[nodiscard]] const std::string& peer() const { return peer_; }
    /// After the handshake: the common name in the client's certificate, printable; empty where it showed none.
    [[nodiscard]] std::string client_certificate() const;

private:
    struct Tls;

    asio::ip::tcp::socket socket_;
    bool ended_ = false;  // nothing more will come: Asio waits for ever when it is asked again after the end
    std::unique_ptr<Tls> tls_;
    std::string peer_;
};

}  // namespace fencepost::http
