// A JSON-RPC server on a loopback port that answers as it is told to, rightly or wrongly: what a real node won't do on
// demand. It runs on the test's own executor, beside the client it is there to annoy.
//
//     ScriptedRpcServer server(executor, clock);
//     server.on_call([](std::string_view method, const json::array& params) -> CallResult { return "0x1"; });
//     server.next({.trick = Trick::rate_limited, .text = "2"});     // the next request only, Retry-After: 2
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

/// What is done with one HTTP request (a batch is one request). Where an answer is changed, cut or
/// kept back, the handler has been asked all the same: the node has acted, and the client does not get to know.
enum class Trick {
    answer,         // as a well-behaved node; an array for an array, in the order asked
    reversed,       // the answers of a batch in reverse order
    missing_last,   // one answer too few; none at all to a single call
    duplicate_ids,  // the first answer twice
    wrong_id,       // ids that nobody used
    both_members,   // result and error in each answer
    one_error,      // a batch is refused with one error object; .text is its message
    html,           // status 200 with a page of HTML
    rate_limited,   // status 429 with .text as Retry-After, if any
    http_status,    // .status with .text as body
    raw,            // .text, byte for byte, instead of any HTTP of ours; the connection stays open
    half_answer,    // half of the right answer with the whole one's Content-Length, then an orderly close
    close,          // the request is read, then the connection is closed in an orderly way without an answer
    reset,          // the same, but with a TCP reset
    silence,        // never an answer; the connection stays open
    slow_drip,      // the right answer, a byte every .pause
    huge_body,      // .size bytes of JSON string, chunk by chunk for as long as the client reads
    huge_length,    // a Content-Length of .size, and no body yet
    deep_json,      // an answer nested .size deep
    late,           // the right answer, after .pause
    last_answer,    // the right answer with keep-alive, then the connection is closed: a stale one for the client
};

struct Behaviour {
    Trick trick = Trick::answer;
    std::string text{};
    unsigned status = 500;
    std::size_t size = 100'000'000;
    Duration pause = std::chrono::milliseconds(50);
};

struct ReceivedRequest {
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::vector<std::string> methods{};  // of its calls; empty if it is no JSON-RPC
    bool is_batch = false;
    std::size_t connection = 0;  // the first connection is 1

    /// The first of that name, whatever its case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
};

using CallResult = Result<boost::json::value, jsonrpc::ErrorAnswer>;
using CallHandler = std::function<CallResult(std::string_view method, const boost::json::array& params)>;

class ScriptedRpcServer {
public:
    struct Options {
        std::optional<TestCertificate> certificate{};  // with one it speaks TLS
        bool ipv6 = false;
    };

    /// Listens at once, on a free port of the loopback address. Without a handler every call's result is its method.
    ScriptedRpcServer(const Executor& executor, Clock& clock, const Options& options);
    ScriptedRpcServer(const Executor& executor, Clock& clock);
    ~ScriptedRpcServer();
    ScriptedRpcServer(const ScriptedRpcServer&) = delete;
    ScriptedRpcServer& operator=(const ScriptedRpcServer&) = delete;

    /// Closes everything. To be awaited before the server goes, unless its context is torn down.
    [[nodiscard]] Task<void> stop();

    void on_call(CallHandler handler);
    /// Queues behaviours, one a request; when they are used up the usual one is back.
    void next(Behaviour behaviour);
    /// The usual one from now on; a plain answer unless told.
    void always(Behaviour behaviour);
    /// Closes the connections that wait for a request, as servers do after a while.
    void close_idle_connections();
    /// From now on nobody is listening on the port, and open connections are reset; requests are refused.
    void go_down();
    /// Listens on the same port again.
    void come_back();

    [[nodiscard]] std::uint16_t port() const;
    /// "http://127.0.0.1:port", or https with a certificate.
    [[nodiscard]] std::string url() const;
    /// Everything received so far, oldest first.
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
