// Reads through the pool: from the best endpoint that can answer, or from several that must agree.
#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/async/cancellation.hpp"
#include "base/text/hex.hpp"
#include "evm/endpoints/endpoint_pool.hpp"
#include "evm/endpoints/quorum.hpp"
#include "evm/errors/endpoint_error.hpp"
#include "evm/json_values.hpp"

namespace fencepost::evm {

using jsonrpc::Failure;

namespace {

Answer failed(Failure::Kind kind, std::string what) {
    return err(jsonrpc::Error(Failure{.kind = kind, .what = std::move(what)}));
}

bool has_failure(const std::vector<Answer>& answers) {
    return std::ranges::any_of(
        answers, [](const auto& answer) { return !answer && std::holds_alternative<Failure>(answer.error()); });
}

// Evidence of an endpoint's height and branch comes first in the same batch: answers computed after it are at least as
// high and on the same branch.
std::vector<Request> evidence_requests(const Evidence& evidence) {
    std::vector<Request> proofs;
    if (evidence.at_least > BlockNumber{}) proofs.push_back({"eth_blockNumber", {}});
    if (evidence.having) proofs.push_back({"eth_getBlockByNumber", {write_number(evidence.having->number), false}});
    return proofs;
}

bool is_proven(const Evidence& evidence, const std::vector<Answer>& proofs) {
    if (evidence.at_least > BlockNumber{}) {
        const auto height = proofs.front() ? read_uint64(*proofs.front(), "height") : err(ParseError{});
        if (!height || BlockNumber(*height) < evidence.at_least) return false;
    }
    if (!evidence.having) return true;
    const auto block = proofs.back() ? read_block(*proofs.back()) : err(ParseError{});
    return block && *block && (*block)->ref.hash == evidence.having->hash;
}

std::string missing_evidence(const Evidence& evidence) {
    if (!evidence.having) return fmt::format("no endpoint that answers has reached block {}", evidence.at_least);
    return fmt::format("no endpoint that answers has block {} {}", evidence.having->number,
                       to_hex_prefixed(evidence.having->hash.view()));
}

}  // namespace

// Progress of one read.
struct EndpointPool::Reading {
    std::size_t size = 0;
    Evidence evidence;
    std::set<const Endpoint*> tried{};
    /// Returned if no endpoint does better.
    std::optional<BatchResult> fallback{};

    void keep(BatchResult take) {
        if (!fallback || take.kind < fallback->kind) fallback = std::move(take);
    }

    [[nodiscard]] Answers give_up(const std::vector<std::unique_ptr<Endpoint>>& endpoints) const {
        if (fallback && fallback->kind != BatchResult::Kind::no_evidence) return fallback->answers;
        if (fallback) return Answers(size, failed(Failure::Kind::no_evidence, missing_evidence(evidence)));
        std::string names;
        for (const auto& endpoint : endpoints) {
            const auto why = endpoint->other_chain().value_or("is out of service");
            names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", endpoint->name(), why);
        }
        return Answers(size, failed(Failure::Kind::unreachable, names));
    }
};

Task<std::vector<Answer>> EndpointPool::read(std::vector<Request> batch, Evidence evidence) {
    if (batch.empty()) co_return Answers{};
    if (evidence.agreeing > 1) co_return co_await read_agreed(std::move(batch), evidence);
    co_return co_await read_one(std::move(batch), evidence);
}

Task<std::vector<Answer>> EndpointPool::read_one(std::vector<Request> batch, Evidence evidence) {
    const auto deadline = clock_.monotonic() + options_.time_limit;
    Reading reading{.size = batch.size(), .evidence = evidence};
    for (;;) {
        auto candidates = ranked(batch, evidence.at_least);
        std::erase_if(candidates, [&](const auto* e) { return reading.tried.contains(e) || !e->is_available(); });
        if (candidates.empty()) {
            const bool answered = reading.fallback && reading.fallback->kind == BatchResult::Kind::endpoint_error;
            const auto next = answered ? std::nullopt : next_back_in_service(deadline);
            if (!next) co_return reading.give_up(endpoints_);
            co_await clock_.sleep_until(*next);
            // Endpoints that only rate-limited us may be tried again.
            std::erase_if(reading.tried, [](const auto* endpoint) { return endpoint->is_available(); });
            continue;
        }
        // An endpoint that hangs must leave time for the others.
        const auto now = clock_.monotonic();
        const auto share = (deadline - now) / static_cast<std::int64_t>(candidates.size());
        auto* const endpoint = candidates.front();
        auto take = co_await ask(endpoint, batch, evidence, share);
        if (take.kind == BatchResult::Kind::answered) co_return std::move(take.answers);
        reading.tried.insert(endpoint);
        reading.keep(std::move(take));
        if (clock_.monotonic() >= deadline) co_return reading.give_up(endpoints_);
    }
}

Task<EndpointPool::BatchResult> EndpointPool::ask(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                                  Duration time_limit) {
    auto requests = evidence_requests(evidence);
    const auto first = static_cast<std::ptrdiff_t>(requests.size());
    requests.insert(requests.end(), std::make_move_iterator(batch.begin()), std::make_move_iterator(batch.end()));
    auto proofs = co_await endpoint->call(std::move(requests), time_limit);
    const bool failure = has_failure(proofs);
    Answers answers(std::make_move_iterator(proofs.begin() + first), std::make_move_iterator(proofs.end()));
    proofs.resize(static_cast<std::size_t>(first), Answer{});
    if (failure) {
        // A batch is answered whole or not at all: partial answers would mix two views.
        const auto bad = std::ranges::find_if(
            answers, [](const auto& answer) { return !answer && std::holds_alternative<Failure>(answer.error()); });
        const auto size = answers.size();
        co_return BatchResult{
            BatchResult::Kind::failed,
            Answers(size, bad == answers.end() ? failed(Failure::Kind::malformed,
                                                        endpoint->name() + ": does not return its block number")
                                               : *bad)};
    }
    if (!is_proven(evidence, proofs)) co_return BatchResult{BatchResult::Kind::no_evidence, {}};
    const bool is_endpoint_error = std::ranges::any_of(answers, [](const auto& answer) {
        return endpoint_error_of(answer) != EndpointError::none || is_general_error(answer);
    });
    co_return BatchResult{is_endpoint_error ? BatchResult::Kind::endpoint_error : BatchResult::Kind::answered,
                          std::move(answers)};
}

Task<void> EndpointPool::ask_in_background(Endpoint* endpoint, std::vector<Request> batch, Evidence evidence,
                                           Duration time_limit, std::vector<BatchResult>* takes) {
    auto take = co_await ask(endpoint, std::move(batch), evidence, time_limit);
    takes->push_back(std::move(take));
}

Task<std::vector<Answer>> EndpointPool::read_agreed(std::vector<Request> batch, Evidence evidence) {
    const auto deadline = clock_.monotonic() + options_.time_limit;
    auto candidates = ranked(batch, evidence.at_least);
    std::erase_if(candidates, [](const auto* endpoint) { return !endpoint->is_available(); });
    const auto first = std::min(evidence.agreeing, candidates.size());
    const auto half = clock_.monotonic() + options_.time_limit / 2;

    std::vector<BatchResult> takes;
    std::vector<Answers> heard;
    // First as many as needed; the others only if those do not agree.
    for (const auto [from, to, until] : {std::tuple(std::size_t{0}, first, first < candidates.size() ? half : deadline),
                                         std::tuple(first, candidates.size(), deadline)}) {
        co_await throw_if_cancelled();
        TaskGroup round(executor_);
        for (auto i = from; i < to; ++i)
            round.spawn(ask_in_background(candidates[i], batch, evidence, until - clock_.monotonic(), &takes));
        co_await round.join();
        for (auto& take : std::exchange(takes, {})) {
            if (take.kind == BatchResult::Kind::answered || take.kind == BatchResult::Kind::endpoint_error)
                heard.push_back(std::move(take.answers));
        }
        if (all_agreed(heard, batch.size(), evidence.agreeing)) break;
    }

    Answers result;
    for (std::size_t item = 0; item < batch.size(); ++item) {
        auto agreed = agreed_on(heard, item, evidence.agreeing);
        result.push_back(agreed ? Answer(std::move(*agreed))
                                : failed(Failure::Kind::no_evidence,
                                         fmt::format("of {} endpoints that answered, no {} agree on {}", heard.size(),
                                                     evidence.agreeing, batch[item].method)));
    }
    co_return result;
}

Task<void> EndpointPool::ask_target(Target target, std::vector<Request> batch, Instant deadline,
                                    std::vector<Answers>* all) {
    if (target.not_before > clock_.monotonic()) co_await clock_.sleep_until(target.not_before);
    auto answers =
        co_await target.endpoint->call(std::move(batch), deadline - clock_.monotonic(), target.allow_quarantined);
    const bool said_something = std::ranges::any_of(answers, [](const auto& answer) {
        return answer || std::holds_alternative<jsonrpc::ErrorAnswer>(answer.error());
    });
    if (said_something) all->push_back(std::move(answers));
}

Task<std::vector<std::vector<Answer>>> EndpointPool::read_all(std::vector<Request> batch) {
    const auto deadline = clock_.monotonic() + options_.time_limit;
    std::vector<Answers> all;
    TaskGroup round(executor_);
    for (const auto& target : targets(deadline))
        round.spawn(ask_target(target, batch, deadline, &all));
    co_await round.join();
    co_return all;
}

}  // namespace fencepost::evm
