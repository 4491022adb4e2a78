// The API of a node as a command sees it: one question at a time, and its answer.
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
    std::string ca_file{};  // PEM; trusted besides the system's authorities
    Duration time_limit = std::chrono::seconds(30);
};

struct ApiCall {
    /// What follows /api/v1, part by part, not encoded: {"tx", id, "history"}.
    std::vector<std::string> path;
    /// What is empty is not sent.
    std::vector<std::pair<std::string, std::string>> query{};
    /// JSON; with it the call is a POST.
    std::optional<std::string> body{};
    /// How long the server has been asked to take, besides the limit.
    Duration patience{};
};

struct ApiAnswer {
    unsigned status = 0;
    std::string body{};
    std::optional<Duration> retry_after{};

    [[nodiscard]] bool is_success() const { return status >= 200 && status < 300; }
};

/// Path and query of a call as they are sent, without what the URL has before them.
[[nodiscard]] std::string target_of(const ApiCall& call);

/// Blocks. Nothing is ever sent twice by itself.
class ApiClient {
public:
    /// Throws StartupError for a CA file that cannot be read and for a key that no header can hold.
    explicit ApiClient(ApiOptions options);
    ~ApiClient();
    ApiClient(const ApiClient&) = delete;
    ApiClient& operator=(const ApiClient&) = delete;

    /// An answer of any status, or why there is none.
    [[nodiscard]] Result<ApiAnswer, jsonrpc::Failure> call(const ApiCall& call);

    [[nodiscard]] Instant now() const;
    [[nodiscard]] UnixTime unix_now() const;
    void sleep(Duration duration);
    /// For people: scheme://host:port.
    [[nodiscard]] std::string name() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fencepost::cli
