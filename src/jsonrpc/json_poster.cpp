#include "jsonrpc/json_poster.hpp"

#include "jsonrpc/http_client.hpp"

namespace fencepost::jsonrpc {
namespace {

HttpClientOptions client_options(JsonPosterOptions options) {
    return {.url = std::move(options.url),
            .headers = std::move(options.headers),
            .max_response_bytes = options.max_response_bytes,
            .max_in_flight = 1,
            .ca_file = std::move(options.ca_file)};
}

// A redirect is not followed: where a secret header goes is for the configuration to say.
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

Task<Status<PostError>> JsonPoster::post(std::string body, Duration limit) {
    return post_by(client_, std::move(body), clock_.monotonic() + limit);
}

Task<Status<PostError>> JsonPoster::post_by(std::shared_ptr<HttpClient> client, std::string body, Instant deadline) {
    const auto response = co_await client->post(std::move(body), deadline);
    if (!response) co_return err(PostError::unavailable);
    if (!is_success(response->status)) co_return err(PostError::refused);
    co_return Status<PostError>{};
}

}  // namespace fencepost::jsonrpc
