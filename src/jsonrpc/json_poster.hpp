// JSON to somebody's webhook or hook, by the HTTP client that is here for JSON-RPC.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jsonrpc/url.hpp"
#include "ports/clock.hpp"
#include "ports/http_poster.hpp"

namespace fencepost::jsonrpc {

class HttpClient;

struct JsonPosterOptions {
    Url url;  // http or https
    /// Sent with every request and never shown, e.g. {"Authorization", "Bearer …"}.
    std::vector<std::pair<std::string, std::string>> headers{};
    /// A longer answer counts as none.
    std::size_t max_response_bytes = std::size_t{64} * 1024;
    /// More than these wait for their turn, within their limits.
    std::size_t max_in_flight = 1;
    std::string ca_file{};  // PEM; trusted besides the system's authorities
};

/// It may be destroyed while a post is under way, which goes on and ends by itself.
class JsonPoster final : public HttpPoster {
public:
    /// Connects to nothing yet. Throws StartupError for a header that is none or a CA file that cannot be read.
    JsonPoster(const Executor& executor, Clock& clock, JsonPosterOptions options);
    ~JsonPoster() override;
    JsonPoster(const JsonPoster&) = delete;
    JsonPoster& operator=(const JsonPoster&) = delete;

    [[nodiscard]] Task<Result<std::string, PostError>> post(HttpPost post, Duration limit) override;

private:
    static Task<Result<std::string, PostError>> post_by(std::shared_ptr<HttpClient> client, HttpPost post,
                                                        Instant deadline);

    Clock& clock_;
    std::shared_ptr<HttpClient> client_;
};

}  // namespace fencepost::jsonrpc
