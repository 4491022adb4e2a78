// A JSON-RPC server on a loopback port with scripted answers, right or wrong, such as a real node does not give on
// demand. It runs on the test's own executor, next to the client under test.
//
//     ScriptedRpcServer server(executor, clock);
//     server.on_call([](std::string_view method, const json::array& params) -> CallResult { return "0x1"; });
//     server.next({.mode = AnswerMode::rate_limited, .text = "2"});     // the next request only, Retry-After: 2
//     … talk to server.url() …
//     co_await server.stop();                                        // before it is destroyed
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/async/task.hpp"
#include "base/result.hpp"
#include "jsonrpc/json_rpc.hpp"
#include "ports/clock.hpp"
#include "support/test_certificate.hpp"

namespace fencepost::test {

/// What happens with one HTTP request; a batch is one request. The handler runs even when the answer is changed,
/// truncated or withheld: the node has acted, and the client does not learn it.
enum class AnswerMode {
    answer,         // as a well-behaved node; answers to a batch in the order of the calls
    reversed,       // the answers of a batch in reverse order
    missing_last,   // one answer too few; none to a single call
    duplicate_ids,  // the first answer twice
    wrong_id,       // ids that no call used
    both_members,   // result and error in each answer
    one_error,      // answers a batch with one error object; .text is its message
    html,           // status 200 with an HTML page
    rate_limited,   // status 429 with .text as Retry-After, if any
    http_status,    // .status with .text as body
    raw,            // .text, byte for byte, as the whole response; the connection stays open
    half_answer,    // half of the answer with the Content-Length of the whole, then an orderly close
    close,          // reads the request, then closes the connection without an answer
    reset,          // reads the request, then resets the connection
    silence,        // never an answer; the connection stays open
    slow_drip,      // the right answer, a byte every .pause
    huge_body,      // .size bytes of a JSON string, in chunks, for as long as the client reads
    huge_length,    // a Content-Length of .size, without a body
    deep_json,      // an answer nested .size deep
    late,           // the right answer, after .pause
    last_answer,    // the right answer with keep-alive, then closes: the client keeps a stale connection
};

struct Behaviour {
    AnswerMode mode = AnswerMode::answer;
    std::string text{};
    unsigned status = 500;
    std::size_t size = 100'000'000;
    Duration pause = std::chrono::milliseconds(50);
};

struct ReceivedRequest {
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::vector<std::string> methods{};  // of its calls; empty if the body is not JSON-RPC
    bool is_batch = false;
    std::size_t connection = 0;  // the first connection is 1

    /// The first header with this name, ignoring case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
};

using CallResult = Result<boost::json::value, jsonrpc::ErrorAnswer>;
using CallHandler = std::function<CallResult(std::string_view method, const boost::json::array& params)>;

class ScriptedRpcServer {
public:
    struct Options {
        std::optional<TestCertificate> certificate{};  // enables TLS
        bool ipv6 = false;
    };

    /// Listens at once on a free loopback port. Without a handler the result of every call is its method name.
    ScriptedRpcServer(const Executor& executor, Clock& clock, const Options& options);
    ScriptedRpcServer(const Executor& executor, Clock& clock);
    ~ScriptedRpcServer();
    ScriptedRpcServer(const ScriptedRpcServer&) = delete;
    ScriptedRpcServer& operator=(const ScriptedRpcServer&) = delete;

    /// Closes everything. Must be awaited before the server is destroyed, unless its context is torn down.
    [[nodiscard]] Task<void> stop();

    void on_call(CallHandler handler);
    /// Queues a behaviour for one request; when the queue is empty the default applies.
    void next(Behaviour behaviour);
    /// Sets the default behaviour; initially a plain answer.
    void always(Behaviour behaviour);
    /// Closes idle connections, as servers do after a while.
    void close_idle_connections();
    /// Stops listening and resets open connections, so that clients are refused.
    void go_down();
    /// Listens on the same port again.
    void come_back();

    [[nodiscard]] std::uint16_t port() const;
    /// "http://127.0.0.1:port", or https with a certificate.
    [[nodiscard]] std::string url() const;
    /// Every request received so far, oldest first.
    [[nodiscard]] const std::vector<ReceivedRequest>& received() const;
    /// How often a method was called, over all requests.
    [[nodiscard]] std::size_t calls_of(std::string_view method) const;
    [[nodiscard]] std::size_t accepted_connections() const;
    [[nodiscard]] std::size_t open_connections() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace fencepost::test
