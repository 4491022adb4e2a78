// Two pools that do not gossip with each other.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"

namespace fencepost::scenario {

class PoolFixture : public ::testing::Test {
protected:
    PoolFixture() {
        for (auto* endpoint : endpoints())
            endpoint->options().gossips = false;
    }

    [[nodiscard]] std::array<sim::SimEndpoint*, 2> endpoints() { return {&s.one, &s.two}; }
    void refuse_sends(const std::optional<sim::Verdict>& verdict) {
        for (auto* endpoint : endpoints())
            endpoint->refuse_sends(verdict);
    }
    /// Blocks continue without our transactions.
    void keep_out_of_blocks(bool out) {
        for (auto* endpoint : endpoints())
            endpoint->options().feeds_miners = !out;
    }
    void lose(TxId id) {
        for (auto* endpoint : endpoints())
            ASSERT_TRUE(endpoint->pool().evict(hash_of(id)));
    }
    void lose_all() {
        for (auto* endpoint : endpoints())
            endpoint->pool().drop_all();
    }

    [[nodiscard]] std::size_t in_flight() {
        return static_cast<std::size_t>(std::ranges::count_if(
            s.all(), [](const TxView& tx) { return tx.nonce && !tx.receipt && !is_final(tx.position.state); }));
    }
    [[nodiscard]] TxHash hash_of(TxId id) const { return *s.view(id).hash; }
    /// How often each was sent, to the endpoint it was sent to most often.
    [[nodiscard]] std::vector<std::size_t> times_sent(const std::vector<TxId>& ids) const {
        std::vector<std::size_t> times;
        for (const auto id : ids)
            times.push_back(s.times_sent(hash_of(id)));
        return times;
    }
    [[nodiscard]] bool was_reduced() const { return s.log.has(Severity::info, "Window reduced"); }
    /// A node whose lanes know how long a block takes.
    void start_and_settle_in() {
        s.start("a");
        s.run_for(std::chrono::seconds(5));
    }
    /// Accepted and held by both pools, and no block comes.
    std::vector<TxId> hold(std::size_t count) {
        s.set_mining(false);
        s.start("a");
        auto ids = s.accept(s.alice, count);
        EXPECT_TRUE(s.run_until([&] { return s.one.pool().size() == count && s.two.pool().size() == count; },
                                std::chrono::minutes(1)));
        s.run_for(std::chrono::seconds(3));
        return ids;
    }
    void expect_all_settle() {
        ASSERT_TRUE(s.run_until_settled());
        s.expect_lawful();
    }

    LaneScenario s;
};

}  // namespace fencepost::scenario
