// JSON-RPC 2.0 as a caller sees it: many calls in one request, an answer for each. Nodes and remote signers are both
// spoken to in it, so it belongs to neither.
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

/// The other side understood the call and answered with an error of its own.
struct ErrorAnswer {
    std::int64_t code = 0;
    std::string message;
    boost::json::value data;
    /// A gateway in front may say this of what the server did: from 500 on it is no proof of what became of the call.
    unsigned http_status = 200;
};

/// There is no answer to this call. Whether the other side has acted on it nobody knows, unless it was not sent.
struct Failure {
    enum class Kind {
        unreachable,   // no connection, or it broke
        timed_out,     //
        rate_limited,  // HTTP 429
        http_error,    // any other status than 200
        malformed,     // not JSON, not JSON-RPC, too big, too deep, no answer or two to this call
        overloaded,    // too many calls in flight on our side: not sent
        no_evidence,   // of several endpoints: nobody high enough answered, or too few agreed
    };
    Kind kind{};
    std::string what;
    /// What the server asked for with Retry-After.
    std::optional<Duration> retry_after{};
    /// Not a byte of the call has left: nobody can have acted on it.
    bool not_sent = false;
};

using Error = std::variant<ErrorAnswer, Failure>;
using Answer = Result<boost::json::value, Error>;

/// What an implementation promises: one answer per request, in the order asked, whatever comes back and in whichever
/// order; it ends within `time_limit`; it never throws but for cancellation.
class JsonRpc {
public:
    virtual ~JsonRpc() = default;
    [[nodiscard]] virtual Task<std::vector<Answer>> call(std::vector<Request> batch, Duration time_limit) = 0;
    /// A larger batch does not go out as one request, so its answers are not of one moment.
    [[nodiscard]] virtual std::size_t max_batch() const { return std::numeric_limits<std::size_t>::max(); }
};

}  // namespace fencepost::jsonrpc

namespace fencepost {

namespace jsonrpc {
FP_ENUM_NAMES(Failure::Kind, as_written, unreachable, timed_out, rate_limited, http_error, malformed, overloaded,
              no_evidence)
}  // namespace jsonrpc

}  // namespace fencepost
