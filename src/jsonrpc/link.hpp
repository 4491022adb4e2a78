// Private to src/jsonrpc: one connection that HTTP is spoken on, with or without TLS.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "jsonrpc/tls.hpp"

namespace fencepost::jsonrpc {

class Link {
public:
    /// What was read: the bytes are valid until the next read.
    struct Read {
        boost::system::error_code error;
        std::string_view bytes;
    };

    explicit Link(Socket socket);
    Link(Socket socket, asio::ssl::context& tls);

    /// Does nothing without TLS.
    [[nodiscard]] Task<Status<Failure>> handshake(std::string host);
    [[nodiscard]] Task<boost::system::error_code> write(std::string bytes);
    [[nodiscard]] Task<Read> read_some();

    /// Whether the other side has neither closed nor sent anything since the last read.
    [[nodiscard]] bool is_quiet();

private:
    [[nodiscard]] Socket& socket();

    std::variant<Socket, TlsStream> stream_;
    std::array<char, 16384> buffer_{};
};

}  // namespace fencepost::jsonrpc
