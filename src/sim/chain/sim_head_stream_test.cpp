#include "sim/chain/sim_head_stream.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/chain/canonical_chain.hpp"
#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

Task<void> collect(std::shared_ptr<HeadStream> stream, std::vector<HeadEvent>* events) {
    for (;;)
        events->push_back(co_await stream->next());
}

struct SimHeads : ::testing::Test {
    void follow() { s.world.spawn(s.node, collect(s.chain.heads(), &events)); }
    void settle() { s.world.run_for(1s); }
    const SimBlock& head() { return s.network.ledger().head(); }

    std::vector<HeadEvent> events;  // outlives the world, whose end destroys frames
    Scenario s{1, {.ledger = {.safe_lag = 2, .finalized_lag = 4}}};
};

TEST_F(SimHeads, FirstEventCoversAllUnfinalizedBlocks) {
    s.network.mine(10);
    follow();
    settle();
    ASSERT_EQ(events.size(), 1U);
    const auto& event = events.front();
    EXPECT_TRUE(event.gap_potential);
    EXPECT_EQ(event.finalized, BlockNumber(6));
    EXPECT_EQ(event.safe, BlockNumber(8));
    ASSERT_EQ(event.change.added.size(), 5U);
    EXPECT_EQ(event.change.added.front().number, BlockNumber(6));
    EXPECT_EQ(event.change.added.back(), head().ref());
    ASSERT_EQ(event.blocks.size(), 5U);
    EXPECT_EQ(event.blocks.back()->ref, head().ref());
}

TEST_F(SimHeads, ReportsAYoungChainFromItsFirstBlock) {
    s.network.mine(2);
    follow();
    settle();
    EXPECT_FALSE(events.at(0).finalized);
    EXPECT_EQ(events.at(0).change.added.size(), 3U);
}

TEST_F(SimHeads, BlocksComeOneByOne) {
    follow();
    settle();
    for (int i = 0; i < 3; ++i) {
        s.network.mine();
        settle();
        const auto& event = events.back();
        EXPECT_FALSE(event.gap_potential);
        EXPECT_EQ(event.change.added, std::vector{head().ref()});
        EXPECT_EQ(event.change.common_ancestor->hash, head().ref().parent);
    }
    EXPECT_EQ(events.size(), 4U);
}

TEST_F(SimHeads, ReportsAReorgAsRemovedAndAddedBlocks) {
    s.network.mine(3);
    follow();
    settle();
    const auto removed = head().ref();
    s.network.reorg({.depth = 1});
    settle();
    EXPECT_EQ(events.back().change.removed, std::vector{removed});
    EXPECT_EQ(events.back().change.added.size(), 2U);
    EXPECT_EQ(events.back().change.added.back(), head().ref());
    EXPECT_FALSE(events.back().gap_potential);
}

TEST_F(SimHeads, AcceptsAnEqualBranchOnceNoEndpointFollowsTheOldOne) {
    s.network.mine(3);
    s.two.freeze();
    follow();
    settle();
    s.network.reorg({.depth = 1, .length = 1});
    settle();
    EXPECT_EQ(events.size(), 1U) << "endpoint two still has the old block";
    s.two.thaw();
    settle();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events.back().change.added, std::vector{head().ref()});
}

TEST_F(SimHeads, AcceptsAShorterBranchOnlyAfterItHasGrown) {
    s.network.mine(3);
    follow();
    settle();
    s.network.reorg({.depth = 2, .length = 1});
    settle();
    EXPECT_EQ(events.size(), 1U);
    s.network.mine(2);
    settle();
    EXPECT_EQ(events.back().change.removed.size(), 2U);
    EXPECT_EQ(events.back().change.added.back(), head().ref());
}

TEST_F(SimHeads, NeverGoesBackToALaggingEndpoint) {
    s.one.lag_blocks(2);
    s.network.mine(3);
    follow();
    settle();
    EXPECT_EQ(events.back().change.added.back(), head().ref());
    s.two.set_down(true);
    settle();
    s.network.mine();
    settle();
    EXPECT_EQ(events.size(), 1U) << "endpoint one is behind the known head";
    s.network.mine(2);
    settle();
    EXPECT_EQ(events.back().change.added.back(), head().parent->parent->ref());
}

TEST_F(SimHeads, LagInTimeDelaysHeadsWithoutAWakeUp) {
    s.one.lag_time(10s);
    s.two.set_down(true);
    follow();
    settle();
    s.network.mine();
    s.world.run_for(5s);
    EXPECT_EQ(events.size(), 1U);
    s.world.run_for(6s);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events.back().change.added.back(), head().ref());
}

TEST_F(SimHeads, ReportsNothingUntilAnEndpointIsReached) {
    s.one.set_down(true);
    s.two.set_down(true);
    follow();
    settle();
    EXPECT_TRUE(events.empty());
    s.two.set_down(false);
    settle();
    EXPECT_EQ(events.size(), 1U);
}

TEST_F(SimHeads, ReplacesEverythingAfterAReorgPastFinality) {
    s.network.mine(10);
    follow();
    settle();
    s.network.reorg({.depth = 6, .past_finality = true});
    settle();
    const auto& event = events.back();
    EXPECT_TRUE(event.gap_potential);
    EXPECT_FALSE(event.change.common_ancestor);
    EXPECT_EQ(event.change.added.back(), head().ref());
    EXPECT_EQ(event.change.added.front().number, event.finalized);
}

Task<void> impatient(SimNode* node, std::shared_ptr<HeadStream> stream, std::vector<HeadEvent>* events) {
    SimClock clock(*node);
    for (;;) {
        auto result = co_await (stream->next() || clock.sleep_for(3ms));
        if (result.index() == 0) events->push_back(std::get<0>(std::move(result)));
    }
}

TEST_F(SimHeads, LosesNothingWhenACallIsCancelled) {
    s.world.spawn(s.node, impatient(&s.node, s.chain.heads(), &events));
    settle();
    for (int i = 0; i < 50; ++i) {
        s.network.mine();
        s.world.run_for(200ms);
    }
    CanonicalChain known;
    for (const auto& event : events)
        ASSERT_TRUE(known.adopt(event.change.added));
    EXPECT_EQ(*known.head(), head().ref());
}

TEST_F(SimHeads, StopsWithAKilledNode) {
    follow();
    settle();
    s.world.kill(s.node);
    s.network.mine();
    settle();
    EXPECT_EQ(events.size(), 1U);
}

// Applies an event as a consumer does; false when it does not fit the previous events.
bool apply(const HeadEvent& event, std::vector<BlockRef>& known) {
    if (event.blocks.size() != event.change.added.size()) return false;
    if (!event.change.common_ancestor) known.clear();
    for (std::size_t i = 0; i < event.change.removed.size(); ++i)
        known.pop_back();
    if (event.change.common_ancestor && known.back() != *event.change.common_ancestor) return false;
    for (const auto& block : event.change.added) {
        if (!known.empty() && known.back().hash != block.parent) return false;
        known.push_back(block);
    }
    return true;
}

void shake(Scenario& s, Random& random) {
    switch (random.below(8)) {
        case 0:
            if (const auto deepest = s.network.ledger().deepest_reorg(); deepest > 0) {
                s.network.reorg({.depth = 1 + random.below(deepest), .length = random.below(4)});
            }
            break;
        case 1:
            s.one.lag_blocks(random.below(4));
            break;
        case 2:
            s.two.lag_time(Duration(random.below(20) * 1s));
            break;
        case 3:
            s.one.set_down(random.one_in(2));
            break;
        default:
            s.network.mine();
    }
    s.world.run_for(Duration(random.below(3'000) * 1ms));
}

RC_GTEST_PROP(SimHeadsProperty, EqualsTheLedgerAfterAnyReorgsAndLags, (std::uint64_t seed)) {
    std::vector<HeadEvent> events;
    Scenario s(seed, {.ledger = {.safe_lag = 2, .finalized_lag = 6}});
    SeededRandom random(seed + 1);
    s.world.spawn(s.node, collect(s.chain.heads(), &events));
    for (int i = 0; i < 60; ++i)
        shake(s, random);
    s.one.lag_blocks(0);
    s.one.set_down(false);
    s.two.lag_time(Duration{});
    s.network.mine(8);  // longer than any abandoned branch
    s.world.run_for(1min);

    std::vector<BlockRef> known;
    for (const auto& event : events)
        RC_ASSERT(apply(event, known));
    const auto& ledger = s.network.ledger();
    RC_ASSERT(known.back() == ledger.head().ref());
    for (const auto& block : known)
        RC_ASSERT(ledger.ancestor(ledger.head(), block.number)->ref() == block);
}

}  // namespace
}  // namespace fencepost::sim
