// HTTP client for one server with kept-alive connections; JSON-RPC, webhooks and the command line build on it. It never
// sends a request twice: it cannot know whether the server acted on the first, which matters for a transaction.
// Retrying is the caller's choice.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/async/task.hpp"
#include "jsonrpc/http_response.hpp"
#include "jsonrpc/url.hpp"
#include "ports/clock.hpp"

namespace fencepost::jsonrpc {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpClientOptions {
    Url url;
    Headers headers{};
    std::size_t max_response_bytes = 0;
    std::size_t max_in_flight = 1;
    std::string ca_file{};
};

struct HttpRequest {
    enum class Method { get, post };

    Method method = Method::post;
    std::string target{};  // path and query, encoded; empty: the URL's own
    std::string body{};    // JSON body of a POST
    /// Headers of this request only. Set by Fencepost itself, so they are valid.
    Headers headers{};
};

class HttpClient {
public:
    /// Does not connect yet. Throws StartupError for an invalid header or a CA file that cannot be read.
    HttpClient(const Executor& executor, Clock& clock, HttpClientOptions options);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// A response of any status, or why there is none. Ends at the deadline and then closes its connection.
    [[nodiscard]] Task<Result<HttpResponse, Failure>> send(const HttpRequest& request, Instant deadline);
    /// Posts to the URL itself.
    [[nodiscard]] Task<Result<HttpResponse, Failure>> post(std::string body, Instant deadline, Headers headers = {});

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::jsonrpc
