#include "doctor/endpoint_facts.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/text/hex.hpp"

namespace fencepost::doctor {
namespace {

// Slow chains have a block every 15 s; a test chain may have none for hours.
constexpr std::chrono::seconds old_head = std::chrono::minutes(2);
// The clocks of block producers may be slightly ahead.
constexpr std::chrono::seconds clock_error{30};

BlockNumber best_head(std::span<const EndpointResult> endpoints, std::uint64_t chain_id) {
    BlockNumber best{};
    for (const auto& [name, facts] : endpoints) {
        if (facts && facts->chain_id == chain_id) best = std::max(best, facts->head);
    }
    return best;
}

// The configured one, default_decision that of the first endpoint, as the node itself does.
std::optional<BlockHash> expected_genesis(const ExpectedChain& chain, std::span<const EndpointResult> endpoints) {
    if (chain.genesis) return chain.genesis;
    for (const auto& [name, facts] : endpoints) {
        if (facts && facts->chain_id == chain.chain_id) return facts->genesis;
    }
    return std::nullopt;
}

std::string age_text(std::chrono::seconds age) {
    return age.count() < 0 ? "dated in the future" : fmt::format("{} s old", age.count());
}

}  // namespace

Findings check_endpoint_facts(const ExpectedChain& chain, std::span<const EndpointResult> endpoints, UnixTime now) {
    const auto best = best_head(endpoints, chain.chain_id);
    const auto genesis = expected_genesis(chain, endpoints);
    const auto judge = [&](const EndpointResult& endpoint) {
        const auto subject = fmt::format("chain {}, endpoint {}", chain.name, endpoint.name);
        if (!endpoint.facts) {
            return broken(subject, endpoint.facts.error(), "check its URL and that it runs, or remove it");
        }
        const auto& facts = *endpoint.facts;
        if (facts.chain_id != chain.chain_id) {
            return broken(subject, fmt::format("it serves chain {}, not {}", facts.chain_id, chain.chain_id),
                          "correct its URL or the chain's id");
        }
        if (genesis && facts.genesis != *genesis) {
            return broken(subject,
                          fmt::format("it serves another chain with the same id: its genesis block is {}, not {}",
                                      to_hex_prefixed(facts.genesis.view()), to_hex_prefixed(genesis->view())),
                          "correct its URL or the chain's genesis");
        }
        const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - facts.head_time);
        const auto lag = best.value() - facts.head.value();
        const auto text = fmt::format("chain {}, block {}, {}", facts.chain_id, facts.head.value(), age_text(age));
        if (lag > chain.max_lag) {
            return doubtful(
                subject, fmt::format("{}: {} blocks behind the best endpoint", text, lag),
                "check whether it is still synchronising; it is used only when no other endpoint can answer");
        }
        if (age < -clock_error) {
            return doubtful(subject, text, "check which clock is wrong, the chain's or this machine's");
        }
        if (age > old_head) {
            return doubtful(subject, text,
                            "check whether the chain or the endpoint has stalled; a test chain may have no new blocks");
        }
        return good(subject, text);
    };
    Findings findings;
    for (const auto& endpoint : endpoints)
        findings.push_back(judge(endpoint));
    return findings;
}

}  // namespace fencepost::doctor
