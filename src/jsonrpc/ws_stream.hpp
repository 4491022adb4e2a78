// Private to src/jsonrpc: one WebSocket connection, with or without TLS.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jsonrpc/tls.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::jsonrpc {

/// One task may read and one may write at the same time.
class WsStream {
public:
    virtual ~WsStream() = default;

    using Headers = std::vector<std::pair<std::string, std::string>>;
    [[nodiscard]] virtual Task<Status<Failure>> handshake(Url url, Headers headers) = 0;
    [[nodiscard]] virtual Task<Status<Failure>> write(std::string message) = 0;
    [[nodiscard]] virtual Task<Result<std::string, Failure>> read() = 0;
    [[nodiscard]] virtual Task<Status<Failure>> ping() = 0;
    /// Closes the connection; pending reads and writes fail. May be called repeatedly.
    virtual void abort() = 0;
};

struct WsStreamOptions {
    std::size_t max_message_bytes = 0;
    /// Called on each ping and pong: the server is alive.
    std::function<void()> on_ping_or_pong;
};

[[nodiscard]] std::unique_ptr<WsStream> make_ws_stream(Socket socket, const WsStreamOptions& options);
[[nodiscard]] std::unique_ptr<WsStream> make_ws_stream(Socket socket, asio::ssl::context& tls,
                                                       const WsStreamOptions& options);

}  // namespace fencepost::jsonrpc
