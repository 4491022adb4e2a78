// New blocks, reorgs, lag, outages and finality, on a scripted chain.
#include "evm/heads/block_follower.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "evm/heads/test_follower.hpp"

namespace fencepost::evm {
namespace {

using namespace std::chrono_literals;
using test::FollowerWorld;
using Refs = std::vector<BlockRef>;

TEST(BlockFollower, FirstEventCoversWindowDownToFinalized) {
    FollowerWorld w(200);
    w.chain.finalized = 120;
    w.chain.safe = 150;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    ASSERT_EQ(consumer.events.size(), 1U);
    const auto& event = consumer.events[0];
    EXPECT_EQ(event.change, (HeadChange{std::nullopt, {}, w.chain.range(120, 200)}));
    EXPECT_TRUE(event.gap_potential);
    EXPECT_EQ(event.finalized, BlockNumber(120));
    EXPECT_EQ(event.safe, BlockNumber(150));
    EXPECT_EQ(event.blocks.back()->transactions.size(), 1U);
}

TEST(BlockFollower, ReadsHeadAndTagsInOneBatch) {
    FollowerWorld w(10);
    w.start();
    w.world.run_for(10ms);
    ASSERT_FALSE(w.rpc.asked.empty());
    EXPECT_EQ(w.rpc.asked[0].batch.size(), 3U) << "one view: head, safe and finalized";
}

TEST(BlockFollower, ReportsNewBlocksInOrder) {
    FollowerWorld w(10);
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.extend(1);
    w.world.run_for(1s);
    w.chain.extend(5);
    w.world.run_for(1s);
    ASSERT_EQ(consumer.events.size(), 3U);
    EXPECT_EQ(consumer.events[1].change, (HeadChange{w.chain.at(10), {}, w.chain.range(11, 11)}));
    EXPECT_EQ(consumer.events[2].change, (HeadChange{w.chain.at(11), {}, w.chain.range(12, 16)}));
    EXPECT_FALSE(consumer.events[2].gap_potential);
    w.world.run_for(10s);
    EXPECT_EQ(consumer.events.size(), 3U) << "a poll without news emits no event";
}

TEST(BlockFollower, HintPollsAtOnce) {
    FollowerWorld w(10, {.poll_interval = 1h});
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.extend(1);
    w.world.run_for(10s);
    EXPECT_EQ(consumer.events.size(), 1U);
    w.follower.poll_now();
    w.world.run_for(10ms);
    EXPECT_EQ(consumer.events.size(), 2U);
}

TEST(BlockFollower, ReportsReorgAsAncestorRemovedAndAdded) {
    for (const std::uint64_t depth : {1U, 2U, 5U, 17U, 40U}) {
        FollowerWorld w(100);
        w.chain.finalized = 50;
        w.start();
        auto& consumer = w.add_consumer();
        w.world.run_for(10ms);
        const auto removed = w.chain.range(101 - depth, 100);
        w.chain.reorg(depth, depth + 2);
        w.world.run_for(1s);
        ASSERT_EQ(consumer.events.size(), 2U) << depth;
        EXPECT_EQ(consumer.events[1].change,
                  (HeadChange{w.chain.at(100 - depth), removed, w.chain.range(101 - depth, 102)}));
        EXPECT_EQ(w.log.count(Severity::alert), 0U);
    }
}

TEST(BlockFollower, AdoptsReorgOfSameHeight) {
    FollowerWorld w(100);
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.reorg(3, 3);
    w.world.run_for(1s);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_TRUE(consumer.events[1].change.is_reorg());
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
}

TEST(BlockFollower, Failure27LaggingEndpointRemovesNothing) {
    FollowerWorld w(100);
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.lag = 30;
    w.world.run_for(10min);
    EXPECT_EQ(consumer.events.size(), 1U);
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
    w.chain.lag = 0;
    w.chain.extend(1);
    w.world.run_for(1s);
    EXPECT_EQ(consumer.events.size(), 2U);
    EXPECT_TRUE(w.log.lines.empty() || w.log.count(Severity::warning) == 0);
}

TEST(BlockFollower, DoesNotAdoptShorterBranchUntilAsHigh) {
    FollowerWorld w(100);
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    const auto ours = w.chain.head();
    w.chain.reorg(5, 2);
    w.world.run_for(5min);
    EXPECT_EQ(*w.follower.chain().head(), ours);
    EXPECT_EQ(consumer.events.size(), 1U);
    EXPECT_EQ(w.log.count(Severity::warning), 1U) << "one warning";
    w.chain.extend(3);
    w.world.run_for(1s);
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].change.common_ancestor, w.chain.at(95));
    EXPECT_EQ(consumer.events[1].change.removed.size(), 5U);
}

TEST(BlockFollower, ForkBelowFinalizedAlertsAndReplacesView) {
    FollowerWorld w(100);
    w.chain.finalized = 90;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.reorg(15, 17);
    w.chain.finalized = 86;
    w.world.run_for(1s);
    EXPECT_EQ(w.log.count(Severity::alert), 1U);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].change, (HeadChange{std::nullopt, {}, w.chain.range(86, 102)}));
    EXPECT_TRUE(consumer.events[1].gap_potential);
    EXPECT_EQ(consumer.events[1].finalized, BlockNumber(86)) << "nothing above is final on the new branch";
    const auto deep =
        std::ranges::find_if(w.rpc.asked, [](const auto& asked) { return asked.evidence.at_least.value() > 0; });
    ASSERT_NE(deep, w.rpc.asked.end());
    EXPECT_EQ(deep->evidence.at_least, BlockNumber(100)) << "requires endpoints as high as ours";
    w.chain.extend(1);
    w.world.run_for(1s);
    EXPECT_EQ(consumer.events.size(), 3U);
    EXPECT_EQ(w.log.count(Severity::alert), 1U);
}

TEST(BlockFollower, AlertsOnceWhileNewBranchIsUnavailable) {
    FollowerWorld w(100);
    w.chain.finalized = 90;
    w.start();
    w.world.run_for(10ms);
    w.chain.reorg(15, 17);
    w.chain.finalized = 50;
    // The blocks below the fork are unavailable for a while.
    bool hard = true;
    w.rpc.endpoints[0] = [&](const Request& request) -> Answer {
        const bool old = request.params.at(0) == write_number(BlockNumber(60));
        return old && hard ? Answer(err(test::no_answer())) : w.chain(request);
    };
    w.world.run_for(10min);
    EXPECT_EQ(w.log.count(Severity::alert), 0U);
    EXPECT_EQ(w.follower.chain().head()->number, BlockNumber(100));
    hard = false;
    w.world.run_for(1min);
    EXPECT_EQ(w.log.count(Severity::alert), 1U);
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
}

TEST(BlockFollower, IgnoresUnconfirmedForkBelowWindow) {
    FollowerWorld w(100);
    w.chain.finalized = 90;
    w.start();
    w.world.run_for(10ms);
    const auto good = w.chain;
    w.chain.reorg(15, 17);
    // Endpoints that meet the evidence are still on the old branch.
    w.rpc.endpoints[0] = [&](const Request& request) {
        const bool with_evidence = w.rpc.asked.back().evidence.at_least.value() > 0;
        return with_evidence ? good(request) : w.chain(request);
    };
    w.world.run_for(10min);
    EXPECT_EQ(w.log.count(Severity::alert), 0U);
    EXPECT_EQ(*w.follower.chain().head(), good.head());
}

TEST(BlockFollower, CatchesUpWithoutGapAfterOutage) {
    FollowerWorld w(100);
    w.chain.finalized = 80;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.rpc.failing = true;
    w.world.run_for(10min);
    w.chain.extend(500);
    w.chain.finalized = 580;
    w.rpc.failing = false;
    w.world.run_for(1min);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].change, (HeadChange{w.chain.at(100), {}, w.chain.range(101, 600)}));
    EXPECT_EQ(w.follower.chain().oldest()->number, BlockNumber(580)) << "finalized blocks are dropped";
}

TEST(BlockFollower, RestartsAfterOutageLongerThanWindow) {
    FollowerWorld w(100, {.max_window = 50});
    w.chain.finalized = 80;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.extend(500);
    w.world.run_for(1min);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].change, (HeadChange{std::nullopt, {}, w.chain.range(551, 600)}));
    EXPECT_EQ(consumer.events[1].finalized, BlockNumber(80));
    EXPECT_EQ(w.log.count(Severity::alert), 0U);
}

TEST(BlockFollower, BoundsWindowWithoutFinality) {
    FollowerWorld w(10, {.max_window = 50});
    w.chain.finalized = 0;
    w.start();
    for (int i = 0; i < 20; ++i) {
        w.chain.extend(10);
        w.world.run_for(1s);
    }
    EXPECT_EQ(w.follower.chain().oldest()->number, BlockNumber(w.chain.head().number.value() - 49));
}

TEST(BlockFollower, LogsFailureOnceAndBacksOff) {
    FollowerWorld w(10);
    w.rpc.failing = true;
    w.start();
    w.world.run_for(1h);
    EXPECT_EQ(w.log.count(Severity::warning), 1U);
    EXPECT_LT(w.rpc.asked.size(), 730U) << "every 5 s at most";
    EXPECT_GT(w.rpc.asked.size(), 700U) << "without giving up";
    w.rpc.failing = false;
    w.world.run_for(1min);
    ASSERT_EQ(w.log.lines.size(), 4U) << "recovery, and neither tag is supported";
    EXPECT_EQ(w.log.count(Severity::info), 3U);
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
}

TEST(BlockFollower, Failure79FollowsHeadSoonAfterOutage) {
    FollowerWorld w(10);
    w.rpc.failing = true;
    w.start();
    w.world.run_for(10min);
    w.rpc.failing = false;
    w.world.run_for(5s);
    ASSERT_FALSE(w.follower.chain().empty());
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
}

TEST(BlockFollower, TreatsInvalidAnswersAsFailures) {
    FollowerWorld w(10);
    w.start();
    w.world.run_for(10ms);
    const auto head = *w.follower.chain().head();
    for (const auto& answer : {Json{}, Json("0x"), Json(boost::json::object{}), Json(7)}) {
        w.rpc.endpoints[0] = [answer](const Request&) { return Answer(answer); };
        w.world.run_for(2min);
        EXPECT_EQ(*w.follower.chain().head(), head);
    }
}

TEST(BlockFollower, UsesDepthOnChainsWithoutTags) {
    FollowerWorld w(200);
    w.chain.offers_tags = false;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10s);
    ASSERT_EQ(consumer.events.size(), 1U);
    EXPECT_EQ(consumer.events[0].finalized, BlockNumber(136));
    EXPECT_EQ(consumer.events[0].safe, BlockNumber(168));
    EXPECT_EQ(consumer.events[0].change.added.front().number, BlockNumber(136));
    EXPECT_EQ(w.log.count(Severity::info), 2U) << "each tag is reported once";
    w.chain.extend(1);
    w.world.run_for(1s);
    EXPECT_EQ(consumer.events[1].finalized, BlockNumber(137));
}

TEST(BlockFollower, YoungChainHasNoFinalizedBlock) {
    FollowerWorld w(10);
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    ASSERT_EQ(consumer.events.size(), 1U);
    EXPECT_FALSE(consumer.events[0].finalized);
    EXPECT_FALSE(consumer.events[0].safe);
    EXPECT_EQ(consumer.events[0].change.added, w.chain.range(0, 10));
}

TEST(BlockFollower, ReportsFinalityWithoutNewHead) {
    FollowerWorld w(100);
    w.chain.finalized = 50;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.finalized = 70;
    w.world.run_for(1s);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].change, (HeadChange{w.chain.head(), {}, {}}));
    EXPECT_EQ(consumer.events[1].finalized, BlockNumber(70));
    w.chain.finalized = 60;
    w.world.run_for(10s);
    EXPECT_EQ(consumer.events.size(), 2U) << "finality never steps back";
}

TEST(BlockFollower, IgnoresFinalityOfOtherBranch) {
    FollowerWorld w(100);
    w.chain.finalized = 50;
    w.start();
    auto& consumer = w.add_consumer();
    w.world.run_for(10ms);
    w.chain.reorg(10, 5);
    w.chain.finalized = 93;
    w.world.run_for(10s);
    EXPECT_EQ(consumer.events.size(), 1U);
    w.chain.extend(10);
    w.world.run_for(1s);
    ASSERT_EQ(consumer.events.size(), 2U);
    EXPECT_EQ(consumer.events[1].finalized, BlockNumber(93));
}

TEST(BlockFollower, FetchesBranchByHashWhenNumbersDiffer) {
    FollowerWorld w(100);
    w.start();
    w.world.run_for(10ms);
    auto other = w.chain;
    w.chain.reorg(6, 8);
    // By number this endpoint still answers from the known branch; by hash and tag from the new one.
    w.rpc.endpoints[0] = [&](const Request& request) {
        const bool number =
            request.method == "eth_getBlockByNumber" && request.params.at(0).as_string().starts_with("0x");
        return number ? other(request) : w.chain(request);
    };
    w.world.run_for(1s);
    EXPECT_EQ(*w.follower.chain().head(), w.chain.head());
    EXPECT_GE(w.rpc.count("eth_getBlockByHash"), 7U);
}

// Random heads, lag, failures, reorgs (also below the window) and consumer speeds.
void live_by_chance(FollowerWorld& w, sim::SeededRandom& random) {
    const std::vector<Duration> pauses{Duration{}, 1s, 7s, 60s};
    for (const auto pause : pauses)
        w.add_consumer(pause);
    for (int i = 0; i < 40; ++i) {
        w.rpc.failing = random.below(10) == 0;
        w.rpc.latency = std::chrono::milliseconds(random.below(3) * 300);
        w.chain.lag = random.below(4) == 0 ? random.below(10) : 0;
        const auto open = w.chain.head().number.value() - *w.chain.finalized;
        const auto depth = random.below(3) == 0 ? random.below(open + 1) : 0;
        w.chain.reorg(depth, depth + random.below(4));
        if (random.below(4) == 0) w.chain.finalized = *w.chain.finalized + random.below(open + 1);
        if (random.below(8) == 0) w.add_consumer(pauses[random.below(pauses.size())]);
        w.world.run_for(std::chrono::milliseconds(random.below(5000)));
    }
    w.rpc.failing = false;
    w.chain.lag = 0;
    w.chain.extend(1);
    w.world.run_for(10min);
}

RC_GTEST_PROP(BlockFollower, EveryConsumerEndsWithTheFollowersView, (std::uint64_t seed)) {
    sim::SeededRandom random(seed);
    FollowerWorld w(
        30 + random.below(50),
        {.max_window = 20 + random.below(60), .queue_length = 1 + random.below(4), .fetch_batch = 1 + random.below(10)},
        seed);
    w.chain.finalized = 20;
    w.rpc.clock = &w.clock;
    w.start();
    live_by_chance(w, random);
    const auto& view = w.follower.chain();
    RC_ASSERT(*view.head() == w.chain.head());
    for (const auto& consumer : w.consumers) {
        RC_ASSERT(*consumer->view.head() == *view.head());
        for (auto n = view.oldest()->number; n <= view.head()->number; n = n.next()) {
            RC_ASSERT(consumer->view.at(n) != nullptr);
            RC_ASSERT(*consumer->view.at(n) == *view.at(n));
        }
    }
}

}  // namespace
}  // namespace fencepost::evm
