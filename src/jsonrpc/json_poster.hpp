// Posts JSON to a webhook or hook, over the HTTP client.
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
    /// A longer response counts as no answer.
    std::size_t max_response_bytes = std::size_t{64} * 1024;
    /// Further posts wait, within their time limits.
    std::size_t max_in_flight = 1;
    std::string ca_file{};  // PEM; trusted in addition to the system's authorities
};

/// May be destroyed while a post is in flight; the post runs to its end.
class JsonPoster final : public HttpPoster {
public:
    /// Does not connect yet. Throws StartupError for an invalid header or a CA file that cannot be read.
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
