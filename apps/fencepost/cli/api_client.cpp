#include "cli/api_client.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "jsonrpc/http_client.hpp"
#include "jsonrpc/retry_after.hpp"
#include "run_task.hpp"
#include "system/system_clock.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t max_response_bytes = std::size_t{64} * 1024 * 1024;

// RFC 3986, section 2.3. A colon is allowed in a path and common in submitter ids.
bool stays(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~:").contains(c);
}

std::string encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (stays(c)) {
            out.push_back(c);
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

jsonrpc::Headers headers_of(const std::string& key) {
    if (key.empty()) return {};
    return {{"Authorization", "Bearer " + key}};
}

}  // namespace

std::string target_of(const ApiCall& call) {
    std::string target = "/api/v1";
    for (const auto& part : call.path)
        target += "/" + encoded(part);
    char before = '?';
    for (const auto& [name, value] : call.query) {
        if (value.empty()) continue;
        target += fmt::format("{}{}={}", before, encoded(name), encoded(value));
        before = '&';
    }
    return target;
}

struct ApiClient::Impl {
    explicit Impl(ApiOptions options)
        : url(options.url),
          time_limit(options.time_limit),
          http(context.get_executor(), clock,
               {.url = std::move(options.url),
                .headers = headers_of(options.key),
                .max_response_bytes = max_response_bytes,
                .ca_file = std::move(options.ca_file)}) {}

    asio::io_context context{1};
    SystemClock clock;
    jsonrpc::Url url;
    Duration time_limit;
    jsonrpc::HttpClient http;
};

ApiClient::ApiClient(ApiOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiClient::~ApiClient() = default;

Result<ApiAnswer, jsonrpc::Failure> ApiClient::call(const ApiCall& call) {
    using Method = jsonrpc::HttpRequest::Method;
    auto before = impl_->url.target;  // for a proxy that serves the API under a path prefix
    while (before.ends_with('/'))
        before.pop_back();
    const jsonrpc::HttpRequest request{.method = call.body ? Method::post : Method::get,
                                       .target = before + target_of(call),
                                       .body = call.body.value_or("")};
    const auto deadline = impl_->clock.monotonic() + impl_->time_limit + call.server_wait;
    auto response = run_task(impl_->context, impl_->http.send(request, deadline));
    if (!response) return err(std::move(response.error()));
    return ApiAnswer{.status = response->status,
                     .body = std::move(response->body),
                     .retry_after = jsonrpc::parse_retry_after(response->retry_after, impl_->clock.unix_now())};
}

Instant ApiClient::now() const { return impl_->clock.monotonic(); }
UnixTime ApiClient::unix_now() const { return impl_->clock.unix_now(); }
void ApiClient::sleep(Duration duration) { run_task(impl_->context, impl_->clock.sleep_for(duration)); }
std::string ApiClient::name() const { return jsonrpc::display_name(impl_->url); }

}  // namespace fencepost::cli
