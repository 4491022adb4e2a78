// Private to src/jsonrpc: one HTTP connection, with or without TLS.
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
    /// The bytes read; valid until the next read.
    struct Read {
        boost::system::error_code error;
        std::string_view bytes;
    };

    explicit Link(Socket socket);
    Link(Socket socket, asio::ssl::context& tls);

    /// No effect without TLS.
    [[nodiscard]] Task<Status<Failure>> handshake(std::string host);
    [[nodiscard]] Task<boost::system::error_code> write(std::string bytes);
    [[nodiscard]] Task<Read> read_some();

    /// Whether the server has neither closed the connection nor sent anything since the last read.
    [[nodiscard]] bool is_quiet();

private:
    [[nodiscard]] Socket& socket();

    std::variant<Socket, TlsStream> stream_;
    std::array<char, 16384> buffer_{};
};

}  // namespace fencepost::jsonrpc
