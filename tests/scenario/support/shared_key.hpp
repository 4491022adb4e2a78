// Support for shared keys: an external sender, and the invariants beside it.
#pragma once

#include <algorithm>
#include <set>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {

inline Setup shared_setup() {
    Setup setup;
    setup.lane.mode = lane::NonceMode::relaxed;
    setup.lane.resubmit_interval = 5s;
    return setup;
}

inline AllocationCounts allocations(const LaneScenario& scenario) {
    return scenario.get(scenario.store->allocations(scenario.alice)).value();
}

/// Another system with the same key, which asks the chain for its nonces.
class ExternalSender {
public:
    explicit ExternalSender(LaneScenario& scenario) : scenario_(scenario) {}

    TxHash send() {
        return replace(
            scenario_.one.pool().next_nonce(*scenario_.alice.evm_address(), *scenario_.network.ledger().head().state));
    }
    /// At one of our nonces, with a higher price.
    TxHash replace(Nonce nonce) {
        const auto signed_tx = scenario_.sign_externally(scenario_.alice, nonce, 40);
        EXPECT_EQ(scenario_.network.inject(signed_tx.raw).outcome, SendOutcome::accepted);
        hashes_.insert(signed_tx.hash);
        return signed_tx.hash;
    }
    [[nodiscard]] bool sent(const TxHash& hash) const { return hashes_.contains(hash); }

private:
    LaneScenario& scenario_;
    std::set<TxHash> hashes_;
};

/// Each confirmed intent is executed once, and a failed one not at all unless it reverted; every nonce was consumed by
/// a recorded transaction or by the external sender; no two of ours share a nonce, except a released one.
inline void expect_lawful_beside(LaneScenario& scenario, const ExternalSender* external_sender) {
    std::map<TxHash, std::uint64_t> executed;
    for (const auto& on_chain : scenario.network.ledger().executed()) {
        if (on_chain.transaction->sender != *scenario.alice.evm_address()) continue;
        ++executed[on_chain.transaction->hash];
        const bool ours = scenario.get(scenario.store->by_hash(on_chain.transaction->hash)).value().has_value();
        EXPECT_NE(ours, external_sender != nullptr && external_sender->sent(on_chain.transaction->hash));
    }
    for (const auto& tx : scenario.all()) {
        std::uint64_t times = 0;
        for (const auto& attempt : scenario.attempts(tx.id)) {
            if (attempt.kind != AttemptKind::filler) times += executed[attempt.hash];
        }
        EXPECT_LE(times, 1U);
        if (tx.position.state == State::confirmed) EXPECT_EQ(times, 1U);
        if (tx.position.state == State::rejected || tx.position.state == State::cancelled) EXPECT_EQ(times, 0U);
        if (!tx.receipt) EXPECT_EQ(times, 0U);
    }
    EXPECT_TRUE(scenario.sent_without_lease().empty());
}
inline void expect_lawful_beside(LaneScenario& scenario, const ExternalSender& external_sender) {
    expect_lawful_beside(scenario, &external_sender);
}

}  // namespace fencepost::scenario
