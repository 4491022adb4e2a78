// Posts JSON and maps failures to the port's errors.
#include "jsonrpc/json_poster.hpp"

#include "jsonrpc/http_client.hpp"

namespace fencepost::jsonrpc {
namespace {

HttpClientOptions client_options(JsonPosterOptions options) {
    return {.url = std::move(options.url),
            .headers = std::move(options.headers),
            .max_response_bytes = options.max_response_bytes,
            .max_in_flight = options.max_in_flight,
            .ca_file = std::move(options.ca_file)};
}

// Redirects are not followed: only the configuration may say where a secret header goes.
bool is_success(unsigned status) {
    static constexpr unsigned first = 200;
    static constexpr unsigned last = 299;
    return first <= status && status <= last;
}

}  // namespace

JsonPoster::JsonPoster(const Executor& executor, Clock& clock, JsonPosterOptions options)
    : clock_(clock),
      client_(std::make_shared<HttpClient>(executor, clock, client_options(std::move(options)))) {}

JsonPoster::~JsonPoster() = default;

Task<Result<std::string, PostError>> JsonPoster::post(HttpPost post, Duration limit) {
    return post_by(client_, std::move(post), clock_.monotonic() + limit);
}

Task<Result<std::string, PostError>> JsonPoster::post_by(std::shared_ptr<HttpClient> client, HttpPost post,
                                                         Instant deadline) {
    auto response = co_await client->post(std::move(post.body), deadline, post.headers);
    if (!response) co_return err(PostError::unavailable);
    if (!is_success(response->status)) co_return err(PostError::refused);
    co_return std::move(response->body);
}

}  // namespace fencepost::jsonrpc
