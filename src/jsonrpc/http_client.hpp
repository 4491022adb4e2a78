// Requests to one server over connections that are kept: under JSON-RPC and webhooks, and under the command line. It
// never sends a request twice: whether the first one was acted on nobody knows, and for a transaction that decides.
// That choice is the caller's.
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
    std::string body{};    // JSON; of a post
    /// Those of this request alone, and our own: they fit.
    Headers headers{};
};

class HttpClient {
public:
    /// Connects to nothing yet. Throws StartupError for a header that is none or a CA file that cannot be read.
    HttpClient(const Executor& executor, Clock& clock, HttpClientOptions options);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// A response of any status, or why there is none. Ends at the deadline; its connection is closed then.
    [[nodiscard]] Task<Result<HttpResponse, Failure>> send(const HttpRequest& request, Instant deadline);
    /// To the URL itself.
    [[nodiscard]] Task<Result<HttpResponse, Failure>> post(std::string body, Instant deadline, Headers headers = {});

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace fencepost::jsonrpc
