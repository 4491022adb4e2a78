#include "demo/sample_client.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "jsonrpc/json_poster.hpp"

namespace fencepost::demo {
namespace {

using namespace std::chrono_literals;

constexpr Duration glance = 100ms;
// The demo does not wait longer than this for a chain that accepts nothing.
constexpr Duration longest_wait = 30s;

}  // namespace

SampleClient::SampleClient(Executor executor, Clock& clock, Queries& store, std::string url, std::uint64_t chain_id)
    : executor_(std::move(executor)),
      clock_(clock),
      store_(store),
      url_(std::move(url)),
      chain_id_(chain_id) {}

Task<bool> SampleClient::submit(Sample sample) {
    return post("/api/v1/tx", sample.body, fmt::format("the sample {} was not accepted", sample.request_id));
}

Task<void> SampleClient::cancel_once_sent(Sample sample) {
    const auto submitter = SubmitterId::evm(chain_id_, sample.submitter);
    const auto end = clock_.monotonic() + longest_wait;
    while (clock_.monotonic() < end) {
        const auto found = co_await store_.by_request(submitter, RequestId(sample.request_id));
        if (found && *found && (*found)->submit_attempts > 0) {
            co_await post(fmt::format("/api/v1/tx/{}/cancel", (*found)->id.value()), R"({"reason":"demo of cancel"})",
                          fmt::format("the sample {} was not cancelled", sample.request_id));
            co_return;
        }
        co_await clock_.sleep_for(glance);
    }
}

Task<bool> SampleClient::post(std::string path, std::string body, std::string what) {
    const auto target = jsonrpc::Url::parse(url_ + path).value();
    jsonrpc::JsonPoster poster(executor_, clock_, {.url = target});
    const auto answer = co_await poster.post({.body = std::move(body)}, 30s);
    if (!answer) fmt::print(stderr, "fencepost: {}: {}.\n", what, answer.error());
    co_return answer.has_value();
}

}  // namespace fencepost::demo
