// Kept-alive connections and one exchange on them.
#include "jsonrpc/http_client.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/async/async_semaphore.hpp"
#include "base/startup_error.hpp"
#include "jsonrpc/link.hpp"

namespace fencepost::jsonrpc {
namespace {

using namespace asio::experimental::awaitable_operators;

// Most servers keep an idle connection for a minute or more. One that is about to be closed is not reused.
constexpr Duration max_idle = std::chrono::seconds(50);

// Progress of a request, in order: tells why it ended and whether the server can have seen any of it.
enum class Stage { queued, connecting, sending, waiting };

Failure out_of_time(Stage stage) {
    using Kind = Failure::Kind;
    switch (stage) {
        case Stage::queued:
            return {Kind::overloaded, "too many requests in flight; not sent"};
        case Stage::connecting:
            return {Kind::timed_out, "no connection in time"};
        case Stage::sending:
            return {Kind::timed_out, "the request could not be sent in time"};
        case Stage::waiting:
            return {Kind::timed_out, "no answer in time"};
    }
    FP_UNREACHABLE();
}

bool is_token(std::string_view text) {
    const auto fits = [](char c) {
        return c > ' ' && c < '\x7f' && !std::string_view("()<>@,;:\\\"/[]?={}").contains(c);
    };
    return !text.empty() && std::ranges::all_of(text, fits);
}

bool is_header(std::string_view name, std::string_view value) {
    const auto is_text = [](char c) { return (c >= ' ' && c != '\x7f') || c == '\t'; };
    return is_token(name) && std::ranges::all_of(value, is_text);
}

std::string lines_of(const Headers& headers) {
    std::string lines;
    for (const auto& [name, value] : headers) {
        FP_ASSERT(is_header(name, value), "{} is not a valid header", name);
        lines += fmt::format("{}: {}\r\n", name, value);
    }
    return lines;
}

bool is_target(std::string_view text) {
    return text.starts_with('/') && std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

// The part that all requests share.
std::string head_of(const HttpClientOptions& options) {
    auto head =
        fmt::format("Host: {}\r\nUser-Agent: fencepost\r\nAccept: application/json\r\nAccept-Encoding: identity\r\n",
                    options.url.authority());
    if (!options.url.authorization.empty()) head += fmt::format("Authorization: {}\r\n", options.url.authorization);
    for (const auto& [name, value] : options.headers) {
        // The value may be a secret, so it is not shown.
        if (!is_header(name, value)) {
            throw StartupError(fmt::format("the header \"{}\" for {} has a character that no HTTP header has",
                                           excerpt(name, {}), display_name(options.url)));
        }
    }
    return head + lines_of(options.headers);
}

}  // namespace

struct HttpClient::State {
    using Shared = std::shared_ptr<State>;
    using Response = Result<HttpResponse, Failure>;

    State(const Executor& executor_in, Clock& clock_in, HttpClientOptions options_in)
        : executor(executor_in),
          clock(clock_in),
          options(std::move(options_in)),
          head(head_of(options)),
          turns(executor, options.max_in_flight) {
        if (options.url.uses_tls()) tls.emplace(make_tls_context(options.ca_file));
    }

    [[nodiscard]] std::string text_of(const HttpRequest& request) const;

    static Task<Response> send(Shared self, std::string request, Instant deadline);
    static Task<Response> exchange(Shared self, std::string request, Instant deadline, Stage* stage);
    static Task<Result<std::unique_ptr<Link>, Failure>> connect(Shared self, Instant deadline);
    static Task<Response> receive(Shared self, Link* link);

    struct Idle {
        std::unique_ptr<Link> link;
        Instant since;
    };

    // The most recently used connection is the least likely to have been closed by the server.
    std::unique_ptr<Link> take_idle() {
        const auto oldest = clock.monotonic() - max_idle;
        std::erase_if(idle, [oldest](const Idle& each) { return each.since < oldest; });
        while (!idle.empty()) {
            auto link = std::move(idle.back().link);
            idle.pop_back();
            if (link->is_quiet()) return link;
        }
        return nullptr;
    }

    Executor executor;
    Clock& clock;
    const HttpClientOptions options;
    const std::string head;
    std::optional<asio::ssl::context> tls;
    AsyncSemaphore turns;
    std::vector<Idle> idle;
};

std::string HttpClient::State::text_of(const HttpRequest& request) const {
    const auto& target = request.target.empty() ? options.url.target : request.target;
    FP_ASSERT(is_target(target), "a target of a request is not encoded");
    const bool posts = request.method == HttpRequest::Method::post;
    FP_ASSERT(posts || request.body.empty());
    auto text = fmt::format("{} {} HTTP/1.1\r\n{}{}", posts ? "POST" : "GET", target, head, lines_of(request.headers));
    if (posts) {
        text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", request.body.size());
    }
    return text + "\r\n" + request.body;
}

Task<Result<std::unique_ptr<Link>, Failure>> HttpClient::State::connect(Shared self, Instant deadline) {
    const auto& url = self->options.url;
    auto socket = co_await dial(self->executor, &self->clock, url.host, url.port, deadline);
    if (!socket) co_return err(std::move(socket.error()));
    auto link =
        self->tls ? std::make_unique<Link>(std::move(*socket), *self->tls) : std::make_unique<Link>(std::move(*socket));
    auto shaken = co_await link->handshake(url.host);
    if (!shaken) co_return err(std::move(shaken.error()));
    co_return link;
}

Task<HttpClient::State::Response> HttpClient::State::receive(Shared self, Link* link) {
    ResponseParser parser(self->options.max_response_bytes);
    for (;;) {
        const auto read = co_await link->read_some();
        if (read.error == asio::error::eof) {
            auto ended = parser.end();
            if (!ended) co_return err(std::move(ended.error()));
            break;
        }
        if (read.error) {
            co_return err(
                Failure{Failure::Kind::unreachable,
                        fmt::format("the connection broke {}: {}",
                                    parser.has_begun() ? "in the middle of the response" : "before a response",
                                    read.error.message())});
        }
        const auto complete = parser.feed(read.bytes);
        if (!complete) co_return err(complete.error());
        if (*complete) break;
    }
    co_return parser.take();
}

Task<HttpClient::State::Response> HttpClient::State::exchange(Shared self, std::string request, Instant deadline,
                                                              Stage* stage) {
    const auto turn = co_await self->turns.take();
    *stage = Stage::connecting;
    auto link = self->take_idle();
    if (!link) {
        auto opened = co_await connect(self, deadline);
        if (!opened) co_return err(std::move(opened.error()));
        link = std::move(*opened);
    }
    *stage = Stage::sending;
    const auto error = co_await link->write(std::move(request));
    if (error) {
        co_return err(Failure{Failure::Kind::unreachable,
                              fmt::format("the connection broke while the request was sent: {}", error.message())});
    }
    *stage = Stage::waiting;
    auto response = co_await receive(self, link.get());
    if (response && response->keep_alive) self->idle.push_back({std::move(link), self->clock.monotonic()});
    co_return response;
}

Task<HttpClient::State::Response> HttpClient::State::send(Shared self, std::string request, Instant deadline) {
    if (deadline <= self->clock.monotonic()) {
        co_return err(Failure{
            .kind = Failure::Kind::timed_out, .what = "no time was left; this request was not sent", .not_sent = true});
    }
    auto stage = Stage::queued;
    auto ended = co_await (exchange(self, std::move(request), deadline, &stage) || self->clock.sleep_until(deadline));
    // A cancelled read ends like a failed one: the caller's cancellation must not be reported as a failure.
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    auto response = ended.index() == 1 ? Response(err(out_of_time(stage))) : std::move(std::get<0>(ended));
    if (!response) response.error().not_sent = stage < Stage::sending;
    co_return response;
}

HttpClient::HttpClient(const Executor& executor, Clock& clock, HttpClientOptions options)
    : state_(std::make_shared<State>(executor, clock, std::move(options))) {}
HttpClient::~HttpClient() = default;

Task<Result<HttpResponse, Failure>> HttpClient::send(const HttpRequest& request, Instant deadline) {
    return State::send(state_, state_->text_of(request), deadline);
}

Task<Result<HttpResponse, Failure>> HttpClient::post(std::string body, Instant deadline, Headers headers) {
    return send({.body = std::move(body), .headers = std::move(headers)}, deadline);
}

}  // namespace fencepost::jsonrpc
