// Sends reads to endpoints and combines their answers. Private to the sources of SimChain, which share it.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/chain/sim_chain.hpp"

namespace fencepost::sim {

inline bool is_same_answer(const std::optional<Block>& a, const std::optional<Block>& b) {
    return a.has_value() == b.has_value() && (!a || a->ref == b->ref);
}
template <typename T>
bool is_same_answer(const T& a, const T& b) {
    return a == b;
}

inline bool has(const SimView& view, const BlockRef& block) {
    const auto* found = view.block(block.number);
    return found != nullptr && found->hash() == block.hash;
}

/// Counts equal answers to one read.
template <typename T>
class Tally {
public:
    void add(T answer) {
        for (auto& [known, count] : answers_) {
            if (!is_same_answer(known, answer)) continue;
            ++count;
            return;
        }
        answers_.emplace_back(std::move(answer), 1);
    }
    [[nodiscard]] const T* agreed(std::size_t needed) const {
        const auto found = std::ranges::find_if(answers_, [needed](const auto& a) { return a.second >= needed; });
        return found == answers_.end() ? nullptr : &found->first;
    }
    [[nodiscard]] bool empty() const { return answers_.empty(); }

private:
    std::vector<std::pair<T, std::size_t>> answers_;
};

template <typename T>
Task<RpcResult<T>> SimChain::ask(SimEndpoint* endpoint, Evidence evidence, Read<T> read, Instant deadline) {
    const Duration way = endpoint->draw_latency() / 2;
    const auto arrived = co_await send_request(endpoint, way, deadline);
    if (!arrived) co_return err(arrived.error());
    const SimView view = endpoint->view();
    if (view.head().number() < evidence.at_least) {
        co_return err(RpcError{RpcError::Kind::no_evidence, endpoint->name() + ": lags"});
    }
    if (evidence.having && !has(view, *evidence.having)) {
        co_return err(RpcError{RpcError::Kind::no_evidence, endpoint->name() + ": is on another branch"});
    }
    // Read now and delivered after the way back: that is how stale answers arise.
    auto answer = read(*endpoint, view);
    co_await clock_.sleep_for(way);
    co_return answer;
}

template <typename T>
Task<RpcResult<T>> SimChain::first_answer(Endpoints endpoints, Read<T> read, BlockNumber at_least) {
    const Instant end = deadline();
    RpcError error{RpcError::Kind::unreachable, "no endpoint"};
    for (auto* endpoint : endpoints) {
        auto answer = co_await ask<T>(endpoint, Evidence{.at_least = at_least}, read, end);
        if (answer) co_return answer;
        // That an endpoint lags is more informative than that another did not answer.
        if (error.kind != RpcError::Kind::no_evidence) error = answer.error();
    }
    co_return err(error);
}

template <typename T>
Task<RpcResult<std::vector<T>>> SimChain::all_answers(Read<T> read, BlockNumber at_least) {
    const Instant end = deadline();
    RpcError error{RpcError::Kind::unreachable, "no endpoint"};
    std::vector<T> answers;
    for (auto* endpoint : shuffled()) {
        auto answer = co_await ask<T>(endpoint, Evidence{.at_least = at_least}, read, end);
        if (answer) {
            answers.push_back(std::move(*answer));
        } else if (error.kind != RpcError::Kind::no_evidence) {
            error = answer.error();
        }
    }
    if (answers.empty()) co_return err(error);
    co_return answers;
}

template <typename T>
Task<std::vector<RpcResult<T>>> SimChain::agreed(std::size_t count, Evidence evidence, Read<std::vector<T>> read) {
    const Instant end = deadline();
    std::vector<Tally<T>> tallies(count);
    RpcError error{RpcError::Kind::unreachable, "no endpoint"};
    const auto is_open = [&evidence](const auto& tally) { return tally.agreed(evidence.agreeing) == nullptr; };
    for (auto* endpoint : shuffled()) {
        if (!std::ranges::any_of(tallies, is_open)) break;
        auto answers = co_await ask<std::vector<T>>(endpoint, evidence, read, end);
        // That an endpoint lags is more informative than that another did not answer.
        if (!answers && error.kind != RpcError::Kind::no_evidence) error = answers.error();
        for (std::size_t i = 0; answers && i < count; ++i)
            tallies[i].add(std::move((*answers)[i]));
    }
    std::vector<RpcResult<T>> results;
    for (const auto& tally : tallies) {
        if (const auto* answer = tally.agreed(evidence.agreeing)) {
            results.push_back(*answer);
        } else if (tally.empty()) {
            results.push_back(err(error));
        } else {
            results.push_back(err(RpcError{RpcError::Kind::no_evidence, "too few endpoints agree"}));
        }
    }
    co_return results;
}

}  // namespace fencepost::sim
