// JSON-RPC over HTTP to one server: a node or a remote signer.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/async/task.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "jsonrpc/url.hpp"
#include "ports/clock.hpp"

namespace fencepost::jsonrpc {

struct HttpJsonRpcOptions {
    Url url;  // http or https
    /// Sent with every request and never shown, e.g. {"Authorization", "Bearer …"}.
    std::vector<std::pair<std::string, std::string>> headers{};
    std::size_t max_response_bytes = std::size_t{32} * 1024 * 1024;
    std::size_t max_depth = 32;
    /// HTTP requests in flight, and so connections. Further calls wait; a call that waits until its time limit is not
    /// sent and fails as overloaded.
    std::size_t max_in_flight = 100;
    /// A larger batch is split into several requests, one after another, to keep the order of its calls.
    std::size_t max_batch = 100;
    std::string ca_file{};  // PEM; trusted in addition to the system's authorities
};

/// Beyond the contract of JsonRpc:
/// - no call is ever sent twice. A connection that the server has closed is detected before it is reused; if the server
/// closes it at that very moment, the call is a Failure and the caller decides;
/// - failures begin with the server's display_name() and reveal no more of its URL, nor any header;
/// - it may be destroyed while calls are in flight: they run to their end. Cancelled calls close their connections.
class HttpJsonRpc final : public JsonRpc {
public:
    /// Does not connect yet. Throws StartupError for an invalid header or a CA file that cannot be read.
    HttpJsonRpc(const Executor& executor, Clock& clock, const HttpJsonRpcOptions& options);
    ~HttpJsonRpc() override;
    HttpJsonRpc(const HttpJsonRpc&) = delete;
    HttpJsonRpc& operator=(const HttpJsonRpc&) = delete;

    [[nodiscard]] Task<std::vector<Answer>> call(std::vector<Request> batch, Duration time_limit) override;
    [[nodiscard]] std::size_t max_batch() const override;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::jsonrpc
