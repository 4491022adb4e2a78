// JSON-RPC 2.0 as its callers see it: many calls in one request, one answer for each. Nodes and remote signers both
// speak it, so it belongs to neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "base/text/enum_names.hpp"
#include "base/time.hpp"

namespace fencepost::jsonrpc {

struct Request {
    std::string method;
    boost::json::array params;
};

/// The server understood the call and answered with a JSON-RPC error.
struct ErrorAnswer {
    std::int64_t code = 0;
    std::string message;
    boost::json::value data;
    /// From 500 on, a gateway may have written the error: it is no proof of what became of the call.
    unsigned http_status = 200;
};

/// The call has no answer. Unless it was not sent, whether the server acted on it is unknown.
struct Failure {
    enum class Kind {
        unreachable,   // no connection, or it broke
        timed_out,     //
        rate_limited,  // HTTP 429
        http_error,    // any status other than 200
        malformed,     // not JSON, not JSON-RPC, too large, too deep, no or two answers to this call
        overloaded,    // too many calls in flight on our side: not sent
        no_evidence,   // several endpoints: none that answered is high enough, or too few agree
    };
    Kind kind{};
    std::string what;
    /// From the server's Retry-After header.
    std::optional<Duration> retry_after{};
    /// No byte of the call was sent, so the server cannot have acted on it.
    bool not_sent = false;
};

using Error = std::variant<ErrorAnswer, Failure>;
using Answer = Result<boost::json::value, Error>;

/// Contract: one answer per request, in order, whatever the server sends; returns within `time_limit`; throws only on
/// cancellation.
class JsonRpc {
public:
    virtual ~JsonRpc() = default;
    [[nodiscard]] virtual Task<std::vector<Answer>> call(std::vector<Request> batch, Duration time_limit) = 0;
    /// A larger batch is split into several requests, so its answers are not one snapshot.
    [[nodiscard]] virtual std::size_t max_batch() const { return std::numeric_limits<std::size_t>::max(); }
};

}  // namespace fencepost::jsonrpc

namespace fencepost {

namespace jsonrpc {
FP_ENUM_NAMES(Failure::Kind, as_written, unreachable, timed_out, rate_limited, http_error, malformed, overloaded,
              no_evidence)
}  // namespace jsonrpc

}  // namespace fencepost
