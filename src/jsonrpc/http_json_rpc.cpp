// Splits batches into HTTP requests and classifies responses.
#include "jsonrpc/http_json_rpc.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "jsonrpc/answers.hpp"
#include "jsonrpc/http_client.hpp"
#include "jsonrpc/retry_after.hpp"

namespace fencepost::jsonrpc {
namespace {

constexpr unsigned status_ok = 200;
constexpr Duration max_time_limit = std::chrono::hours(24);  // keeps deadlines within the range of Instant

HttpClientOptions client_options(const HttpJsonRpcOptions& options) {
    FP_ASSERT(!options.url.is_web_socket() && options.max_batch > 0 && options.max_in_flight > 0);
    return {.url = options.url,
            .headers = options.headers,
            .max_response_bytes = options.max_response_bytes,
            .max_in_flight = options.max_in_flight,
            .ca_file = options.ca_file};
}

std::vector<std::string> secrets_in(const HttpJsonRpcOptions& options) {
    auto secrets = secrets_of(options.url);
    for (const auto& [name, value] : options.headers) {
        if (!value.empty()) secrets.push_back(value);
        const auto space = value.find(' ');  // the token of "Bearer token"
        if (space != std::string::npos && space + 1 < value.size()) secrets.push_back(value.substr(space + 1));
    }
    return secrets;
}

}  // namespace

struct HttpJsonRpc::State {
    State(const Executor& executor, Clock& clock_in, const HttpJsonRpcOptions& options)
        : clock(clock_in),
          max_depth(options.max_depth),
          max_batch(options.max_batch),
          name(display_name(options.url)),
          secrets(secrets_in(options)),
          client(executor, clock, client_options(options)) {}

    static Task<std::vector<Answer>> call(std::shared_ptr<State> self, std::vector<Request> batch, Duration time_limit);
    [[nodiscard]] std::vector<Answer> answers_in(const HttpResponse& response, IdRange ids) const;
    [[nodiscard]] Failure status_failure(const HttpResponse& response) const;

    Clock& clock;
    const std::size_t max_depth;
    const std::size_t max_batch;
    const std::string name;
    const std::vector<std::string> secrets;
    HttpClient client;
    std::uint64_t next_id = 1;
};

Failure HttpJsonRpc::State::status_failure(const HttpResponse& response) const {
    Failure failure{.kind = Failure::Kind::http_error,
                    .what = fmt::format("status {}: \"{}\"", response.status, excerpt(response.body, secrets)),
                    .retry_after = parse_retry_after(response.retry_after, clock.unix_now())};
    if (response.status == status_too_many_requests) {
        failure.kind = Failure::Kind::rate_limited;
        failure.what = "too many requests (status 429)";
    }
    return failure;
}

// Some nodes send JSON-RPC errors with status 400 or 500. A result with such a status is contradictory and ignored.
std::vector<Answer> HttpJsonRpc::State::answers_in(const HttpResponse& response, IdRange ids) const {
    if (response.status == status_ok) return match_answers(response.body, ids, max_depth, secrets);
    const auto failure = status_failure(response);
    constexpr unsigned first_error_status = 400;
    if (failure.kind == Failure::Kind::rate_limited || response.status < first_error_status) {
        return same_failure(failure, ids.count);
    }
    auto answers = match_answers(response.body, ids, max_depth, secrets);
    for (auto& answer : answers) {
        if (answer.has_value() || std::holds_alternative<Failure>(answer.error())) answer = err(Error(failure));
        auto* const error = std::get_if<ErrorAnswer>(&answer.error());
        if (error != nullptr) error->http_status = response.status;
    }
    return answers;
}

// When the server is unreachable or rate-limits us, the rest of a large batch is not sent.
Task<std::vector<Answer>> HttpJsonRpc::State::call(std::shared_ptr<State> self, std::vector<Request> batch,
                                                   Duration time_limit) {
    const auto deadline = self->clock.monotonic() + std::min(time_limit, max_time_limit);
    std::vector<Answer> all;
    all.reserve(batch.size());
    while (all.size() < batch.size()) {
        const auto rest = std::span(batch).subspan(all.size());
        const IdRange ids{.first = self->next_id, .count = std::min(self->max_batch, rest.size())};
        self->next_id += ids.count;
        const auto response = co_await self->client.post(encode_calls(rest.first(ids.count), ids.first), deadline);
        const bool goes_on = response && response->status != status_too_many_requests;
        auto answers = goes_on    ? self->answers_in(*response, ids)
                       : response ? same_failure(self->status_failure(*response), rest.size())
                                  : same_failure(response.error(), rest.size());
        for (auto& answer : answers) {
            auto* const failure = answer ? nullptr : std::get_if<Failure>(&answer.error());
            if (failure != nullptr) failure->what = fmt::format("{}: {}", self->name, failure->what);
            auto* const error = answer ? nullptr : std::get_if<ErrorAnswer>(&answer.error());
            if (error != nullptr) error->message = scrubbed(error->message, self->secrets);
            all.push_back(std::move(answer));
        }
    }
    co_return all;
}

HttpJsonRpc::HttpJsonRpc(const Executor& executor, Clock& clock, const HttpJsonRpcOptions& options)
    : state_(std::make_shared<State>(executor, clock, options)) {}
HttpJsonRpc::~HttpJsonRpc() = default;

std::size_t HttpJsonRpc::max_batch() const { return state_->max_batch; }

Task<std::vector<Answer>> HttpJsonRpc::call(std::vector<Request> batch, Duration time_limit) {
    return State::call(state_, std::move(batch), time_limit);
}

}  // namespace fencepost::jsonrpc
