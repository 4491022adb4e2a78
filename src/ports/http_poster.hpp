// The port for outgoing HTTP messages: webhooks and hooks. One poster serves one URL and owns its headers and secrets;
// callers know neither.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"

namespace fencepost {

enum class PostError {
    unavailable,  // no answer: the message may have arrived
    refused,      // a status other than 2xx
};
FP_ENUM_NAMES(PostError, as_written, unavailable, refused)

struct HttpPost {
    std::string body;
    /// In addition to the headers of the endpoint: those that depend on the body, such as its signature.
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// Contract: sends the body once, as application/json; post() ends within its limit. The result is the response body.
class HttpPoster {
public:
    virtual ~HttpPoster() = default;
    [[nodiscard]] virtual Task<Result<std::string, PostError>> post(HttpPost post, Duration limit) = 0;
};

}  // namespace fencepost
