// Opens a subscription, reads notifications and pings the server.
#include "jsonrpc/subscription.hpp"

#include <deque>
#include <optional>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "jsonrpc/answers.hpp"
#include "jsonrpc/ws_stream.hpp"

namespace fencepost::jsonrpc {
namespace {

namespace json = boost::json;
using namespace asio::experimental::awaitable_operators;

constexpr IdRange subscribe_id{.first = 1, .count = 1};

// The `params` of a notification; null for any other message.
const json::object* params_of(const json::value& message) {
    const auto* const object = message.if_object();
    const auto* const method = object != nullptr ? object->if_contains("method") : nullptr;
    const auto* const params = object != nullptr ? object->if_contains("params") : nullptr;
    return method != nullptr && params != nullptr ? params->if_object() : nullptr;
}

}  // namespace

// Shared with the tasks, so that tasks and subscription may be destroyed in any order.
struct Subscription::State {
    using Shared = std::shared_ptr<State>;

    State(const Executor& executor_in, Clock& clock_in, SubscriptionOptions options_in)
        : executor(executor_in),
          clock(clock_in),
          options(std::move(options_in)),
          name(display_name(options.url)),
          last_activity(clock.monotonic()),
          bell(executor),
          tasks(executor) {
        FP_ASSERT(options.url.is_web_socket() && options.max_waiting > 0);
        if (options.url.uses_tls()) tls.emplace(make_tls_context(options.ca_file));
    }

    static Task<Status<Error>> open(Shared self, Duration time_limit);
    static Task<Status<Error>> establish(Shared self, Instant deadline);
    static Task<Status<Error>> subscribe(Shared self);
    static Task<Result<json::value, Failure>> next(Shared self);
    static Task<void> listen(Shared self);
    static Task<void> watch(Shared self);
    static Task<void> close(Shared self);

    [[nodiscard]] Error named(Error error) const {
        if (auto* const broken = std::get_if<Failure>(&error)) broken->what = fmt::format("{}: {}", name, broken->what);
        return error;
    }

    void fail(Failure why) {
        if (!failure) failure = std::get<Failure>(named(std::move(why)));
        if (stream) stream->abort();
        bell.notify();
    }

    [[nodiscard]] Result<json::value, Failure> parse(const std::string& text) const {
        json::parse_options limits;
        limits.max_depth = options.max_depth;
        boost::system::error_code error;
        auto message = json::parse(text, error, {}, limits);
        if (error) return err(Failure{Failure::Kind::malformed, "a message is not JSON, or nested too deeply"});
        return message;
    }

    void take(const json::value& message) {
        const auto* const params = params_of(message);
        const auto* const from = params != nullptr ? params->if_contains("subscription") : nullptr;
        const auto* const result = params != nullptr ? params->if_contains("result") : nullptr;
        if (from == nullptr || result == nullptr || *from != subscription) return;
        if (waiting.size() == options.max_waiting) waiting.pop_front();
        waiting.push_back(*result);
        bell.notify();
    }

    Executor executor;
    Clock& clock;
    const SubscriptionOptions options;
    const std::string name;
    std::optional<asio::ssl::context> tls;
    std::unique_ptr<WsStream> stream;
    json::value subscription;  // the id that the node assigned
    Instant last_activity;
    std::deque<json::value> waiting;
    std::optional<Failure> failure;
    Wakeup bell;
    TaskGroup tasks;
    bool opened = false;
};

Task<Status<Error>> Subscription::State::subscribe(Shared self) {
    const auto sent = co_await self->stream->write(encode_calls(std::span(&self->options.request, 1), 1));
    if (!sent) co_return err(Error(sent.error()));
    for (;;) {
        const auto text = co_await self->stream->read();
        if (!text) co_return err(Error(text.error()));
        const auto message = self->parse(*text);
        if (!message) co_return err(Error(message.error()));
        if (params_of(*message) != nullptr) continue;  // of another subscription
        auto answer = std::move(match_answers(*text, subscribe_id, self->options.max_depth, {}).front());
        if (!answer) co_return err(std::move(answer.error()));
        self->subscription = std::move(*answer);
        co_return Status<Error>{};
    }
}

Task<Status<Error>> Subscription::State::establish(Shared self, Instant deadline) {
    const auto& url = self->options.url;
    auto socket = co_await dial(self->executor, &self->clock, url.host, url.port, deadline);
    if (!socket) co_return err(Error(std::move(socket.error())));
    const WsStreamOptions options{
        .max_message_bytes = self->options.max_message_bytes,
        .on_ping_or_pong = [state = self.get()] { state->last_activity = state->clock.monotonic(); }};
    self->stream = self->tls ? make_ws_stream(std::move(*socket), *self->tls, options)
                             : make_ws_stream(std::move(*socket), options);
    const auto shaken = co_await self->stream->handshake(url, self->options.headers);
    if (!shaken) co_return err(Error(shaken.error()));
    co_return co_await subscribe(self);
}

Task<Status<Error>> Subscription::State::open(Shared self, Duration time_limit) {
    FP_ASSERT(!std::exchange(self->opened, true), "a subscription is opened once");
    const auto deadline = self->clock.monotonic() + time_limit;
    auto ended = co_await (establish(self, deadline) || self->clock.sleep_until(deadline));
    auto status = ended.index() == 0
                      ? std::move(std::get<0>(ended))
                      : Status<Error>(err(Error(Failure{Failure::Kind::timed_out, "no subscription in time"})));
    if (!status) {
        auto error = self->named(std::move(status.error()));
        self->fail({Failure::Kind::unreachable, "the subscription was not opened"});
        co_return err(std::move(error));
    }
    self->last_activity = self->clock.monotonic();
    self->tasks.spawn(listen(self));
    self->tasks.spawn(watch(self));
    co_return status;
}

Task<void> Subscription::State::listen(Shared self) {
    while (!self->failure) {
        const auto text = co_await self->stream->read();
        self->last_activity = self->clock.monotonic();
        const auto message = text ? self->parse(*text) : err(text.error());
        if (!message) co_return self->fail(message.error());
        self->take(*message);
    }
}

// Heads may be minutes apart, and a dead peer is as silent as an idle one: so it is pinged.
Task<void> Subscription::State::watch(Shared self) {
    constexpr int checks_per_limit = 4;
    const auto period = self->options.idle_limit / checks_per_limit;
    while (!self->failure) {
        co_await self->clock.sleep_for(period);
        const auto silence = self->clock.monotonic() - self->last_activity;
        if (silence >= self->options.idle_limit) {
            co_return self->fail({Failure::Kind::timed_out, "no message and no pong within the idle limit"});
        }
        // Bounded wait: a ping that cannot be written stays unanswered as well.
        if (silence >= period) co_await (self->stream->ping() || self->clock.sleep_for(period));
    }
}

Task<Result<json::value, Failure>> Subscription::State::next(Shared self) {
    while (self->waiting.empty()) {
        if (self->failure) co_return err(*self->failure);
        co_await self->bell.wait();
    }
    auto oldest = std::move(self->waiting.front());
    self->waiting.pop_front();
    co_return oldest;
}

Task<void> Subscription::State::close(Shared self) {
    self->fail({Failure::Kind::unreachable, "the subscription was closed"});
    self->tasks.cancel();
    co_await self->tasks.join();
}

Subscription::Subscription(const Executor& executor, Clock& clock, SubscriptionOptions options)
    : state_(std::make_shared<State>(executor, clock, std::move(options))) {}
Subscription::~Subscription() = default;

Task<Status<Error>> Subscription::open(Duration time_limit) { return State::open(state_, time_limit); }
Task<Result<json::value, Failure>> Subscription::next() { return State::next(state_); }
Task<void> Subscription::close() { return State::close(state_); }

}  // namespace fencepost::jsonrpc
