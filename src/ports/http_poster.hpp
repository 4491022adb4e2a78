// A message to somebody else's HTTP endpoint: webhooks and hooks. One poster speaks to one URL, with the headers and
// the secrets that belong to it; who posts knows neither.
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
    unavailable,  // no answer: it may have arrived
    refused,      // a status other than 2xx
};
FP_ENUM_NAMES(PostError, as_written, unavailable, refused)

struct HttpPost {
    std::string body;
    /// Besides those that belong to the endpoint: what depends on the body, such as its signature.
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// What an implementation promises: the body is sent as application/json, once; post() ends within its limit and fails
/// only by its answer, which is otherwise what the other side said, in its own words.
class HttpPoster {
public:
    virtual ~HttpPoster() = default;
    [[nodiscard]] virtual Task<Result<std::string, PostError>> post(HttpPost post, Duration limit) = 0;
};

}  // namespace fencepost
