// A blocking client of a node's API for the commands: one request at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "jsonrpc/url.hpp"

namespace fencepost::cli {

struct ApiOptions {
    jsonrpc::Url url;
    std::string key{};      // empty: none is sent
    std::string ca_file{};  // PEM; trusted in addition to the system's authorities
    Duration time_limit = std::chrono::seconds(30);
};

struct ApiCall {
    /// The path segments after /api/v1, not encoded: {"tx", id, "history"}.
    std::vector<std::string> path;
    /// Parameters with an empty value are not sent.
    std::vector<std::pair<std::string, std::string>> query{};
    /// JSON; makes the call a POST.
    std::optional<std::string> body{};
    /// How long the server was asked to wait; added to the time limit.
    Duration server_wait{};
};

struct ApiAnswer {
    unsigned status = 0;
    std::string body{};
    std::optional<Duration> retry_after{};

    [[nodiscard]] bool is_success() const { return status >= 200 && status < 300; }
};

/// Path and query as they are sent, without the prefix from the URL.
[[nodiscard]] std::string target_of(const ApiCall& call);

/// Blocks. It never retries by itself.
class ApiClient {
public:
    /// Throws StartupError for an unreadable CA file, or a key that is not valid in a header.
    explicit ApiClient(ApiOptions options);
    ~ApiClient();
    ApiClient(const ApiClient&) = delete;
    ApiClient& operator=(const ApiClient&) = delete;

    /// The response, whatever its status, or why there is none.
    [[nodiscard]] Result<ApiAnswer, jsonrpc::Failure> call(const ApiCall& call);

    [[nodiscard]] Instant now() const;
    [[nodiscard]] UnixTime unix_now() const;
    void sleep(Duration duration);
    /// For messages: scheme://host:port.
    [[nodiscard]] std::string name() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::cli
