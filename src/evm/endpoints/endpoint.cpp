// Admission, calls and the judgement of their answers.
#include "evm/endpoints/endpoint.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "evm/errors/endpoint_error.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

using jsonrpc::Answer;
using jsonrpc::Failure;
using jsonrpc::Request;

namespace {

// Tells the health when a call ends without a verdict: a cancelled probe must not block the next one.
class OpenCall {
public:
    OpenCall(EndpointHealth& health, Instant now) : health_(health) { health_.began(now); }
    ~OpenCall() {
        if (!judged_) health_.abandoned();
    }
    OpenCall(const OpenCall&) = delete;
    OpenCall& operator=(const OpenCall&) = delete;
    void judged() { judged_ = true; }

private:
    EndpointHealth& health_;
    bool judged_ = false;
};

const Failure* failure_in(const std::vector<Answer>& answers) {
    for (const auto& answer : answers) {
        if (answer) continue;
        if (const auto* failure = std::get_if<Failure>(&answer.error())) return failure;
    }
    return nullptr;
}

std::vector<Answer> all_failed(std::size_t n, const Failure& failure) {
    return std::vector<Answer>(n, err(jsonrpc::Error(failure)));
}

}  // namespace

Endpoint::Endpoint(const Executor& executor, Clock& clock, Log& log, Telemetry& telemetry, ChainPin& pin,
                   std::string name, std::unique_ptr<jsonrpc::JsonRpc> rpc, EndpointOptions options)
    : clock_(clock),
      log_(log),
      telemetry_(telemetry),
      pin_(pin),
      name_(std::move(name)),
      rpc_(std::move(rpc)),
      options_(options),
      health_(options.health),
      limiter_(executor, clock, options.in_flight),
      identity_check_(executor, clock, {.most = 1, .max_waiting = options.in_flight.most}) {}

bool Endpoint::is_available() const {
    const auto now = clock_.monotonic();
    return !is_refused(now) && health_.is_available(now);
}

Instant Endpoint::available_at() const {
    const auto now = clock_.monotonic();
    const auto healthy_at = health_.available_at(now);
    return is_refused(now) ? std::max(healthy_at, other_chain_until_) : healthy_at;
}

Task<std::vector<Answer>> Endpoint::call(std::vector<Request> batch, Duration time_limit,
                                         AllowQuarantined allow_quarantined) {
    const auto size = batch.size();
    const auto admission =
        co_await admit(Purpose::read, clock_.monotonic() + time_limit, time_limit, allow_quarantined);
    if (admission.refused) co_return all_failed(size, *admission.refused);
    co_return co_await ask(std::move(batch), time_limit);
}

Task<Admission> Endpoint::admit(Purpose purpose, Instant patience, Duration time_limit,
                                AllowQuarantined allow_quarantined) {
    auto permit = co_await limiter_.take(patience, purpose);
    if (!permit) co_return Admission{{}, failure(Failure::Kind::overloaded, "too many calls are in flight")};
    auto why = co_await check_identity(time_limit, allow_quarantined);
    co_return Admission{std::move(permit), std::move(why)};
}

Task<std::vector<Answer>> Endpoint::ask(std::vector<Request> batch, Duration time_limit, Purpose purpose) {
    const auto begun = clock_.monotonic();
    const auto size = batch.size();
    if (time_limit <= Duration::zero()) {
        co_return all_failed(size,
                             failure(Failure::Kind::timed_out, "the time limit expired before the request was sent"));
    }
    std::vector<RequestInfo> requests;
    requests.reserve(size);
    for (const auto& request : batch)
        requests.push_back(asked(request));

    OpenCall open(health_, begun);
    auto answers = co_await rpc_->call(std::move(batch), time_limit);
    FP_ASSERT(answers.size() == size, "{} answers to {} requests", answers.size(), size);
    judge(requests, answers, begun, purpose);
    open.judged();
    for (auto& answer : answers) {
        if (answer) continue;
        auto* const failed = std::get_if<Failure>(&answer.error());
        if (failed != nullptr && !failed->what.starts_with(name_)) failed->what = name_ + ": " + failed->what;
    }
    co_return answers;
}

Endpoint::RequestInfo Endpoint::asked(const Request& request) {
    // For blocks other than the latest, null may be correct: for example, no block is finalized yet.
    const bool latest_block =
        request.method == "eth_getBlockByNumber" && !request.params.empty() && request.params[0] == "latest";
    return {
        .method = request.method,
        .always_answerable = latest_block || request.method == "eth_blockNumber" || request.method == "eth_chainId"};
}

std::optional<Failure> Endpoint::node_error_in(const std::vector<RequestInfo>& requests, const Answers& answers) const {
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!requests[i].always_answerable || !is_general_error(answers[i])) continue;
        const auto& said = std::get<jsonrpc::ErrorAnswer>(answers[i].error()).message;
        return failure(Failure::Kind::malformed, fmt::format("answers {} with \"{}\"", requests[i].method, said));
    }
    return std::nullopt;
}

void Endpoint::judge(const std::vector<RequestInfo>& requests, const Answers& answers, Instant begun, Purpose purpose) {
    const auto now = clock_.monotonic();
    bool was_rate_limited = false;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto endpoint_error = endpoint_error_of(answers[i]);
        was_rate_limited |= endpoint_error == EndpointError::slow_down;
        if (endpoint_error == EndpointError::unsupported_method) unsupported_methods_.insert(requests[i].method);
        if (!answers[i] || requests[i].method != "eth_blockNumber") continue;
        if (const auto head = read_uint64(*answers[i], "head")) update_head(BlockNumber(*head));
    }
    const auto node_error = node_error_in(requests, answers);
    const auto* failed = failure_in(answers);
    if (failed == nullptr && node_error) failed = &*node_error;
    telemetry_.observe(Latency::rpc_call, now - begun);
    telemetry_.count(Counter::rpc_call, failed == nullptr ? "answered" : name_of(failed->kind));
    if (was_rate_limited || (failed != nullptr && failed->kind == Failure::Kind::rate_limited)) {
        slow_down(now, failed);
    } else if (failed != nullptr) {
        judge_failure(now, *failed);
    } else if (!answers.empty() && std::ranges::all_of(answers, is_general_error)) {
        // Not evidence of good service: it must not reset the failures counted so far.
        health_.abandoned();
    } else {
        // The duration of a send depends on its size, and on the next block where sends block. Only reads measure
        // speed.
        health_.answered(purpose == Purpose::read ? std::optional(now - begun) : std::nullopt);
        limiter_.grow();
    }
}

void Endpoint::update_head(BlockNumber head) {
    // More than a reorg or a lagging node behind a load balancer: the network was restarted, or another node now has
    // this address. Checking the identity once too often costs one request.
    if (health_.head() && health_.head()->above(head) > options_.max_head_drop) verified_ = false;
    health_.saw_head(head);
}

void Endpoint::judge_failure(Instant now, const Failure& failed) {
    health_.failed(now, failed);
    // Another node may answer at this address next time.
    const bool gone = health_.service(now) == Service::quarantined;
    if (gone || failed.kind == Failure::Kind::unreachable) verified_ = false;
    if (gone) {
        log_.write(Severity::warning, "Endpoint out of service", {{"endpoint", name_}, {"reason", failed.what}});
    }
}

void Endpoint::slow_down(Instant now, const Failure* failure) {
    // Concurrent calls are refused together: that is one signal, not many.
    if (health_.service(now) != Service::backing_off) limiter_.shrink();
    if (failure != nullptr && failure->kind == Failure::Kind::rate_limited) {
        health_.failed(now, *failure);
    } else {
        health_.was_rate_limited(now);
    }
}

std::optional<Failure> Endpoint::obstacle(AllowQuarantined allow_quarantined) const {
    const auto now = clock_.monotonic();
    if (is_refused(now)) return failure(Failure::Kind::unreachable, *other_chain_);
    switch (health_.service(now)) {
        case Service::in_service:
            return std::nullopt;
        case Service::backing_off: {
            auto why = failure(Failure::Kind::rate_limited, "rate limit: back-off in effect");
            why.retry_after = health_.available_at(now) - now;
            return why;
        }
        case Service::quarantined:
        case Service::probing:
            if (allow_quarantined == AllowQuarantined::yes) return std::nullopt;
            return failure(Failure::Kind::unreachable, "is out of service");
    }
    FP_UNREACHABLE();
}

Failure Endpoint::failure(Failure::Kind kind, std::string_view what) const {
    return {.kind = kind, .what = fmt::format("{}: {}", name_, what)};
}

}  // namespace fencepost::evm
