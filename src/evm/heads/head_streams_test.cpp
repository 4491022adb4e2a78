// Slow consumers, gaps and cancellation.
#include "evm/heads/head_streams.hpp"

#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "evm/heads/stable_block_stream.hpp"
#include "evm/heads/test_follower.hpp"

namespace fencepost::evm {
namespace {

using namespace std::chrono_literals;
using test::Consumer;
using test::FollowerWorld;

// One block per second, in a world whose follower polls every second.
void grow(FollowerWorld& w, int blocks) {
    for (int i = 0; i < blocks; ++i) {
        w.chain.extend(1);
        w.world.run_for(1s);
    }
}

TEST(HeadStreams, FullQueueIsDroppedAndOneEventClosesGap) {
    FollowerWorld w(100, {.queue_length = 3});
    w.chain.finalized = 50;
    w.start();
    w.world.run_for(10ms);
    auto& slow = w.add_consumer(20s);
    w.world.run_for(10ms);
    ASSERT_EQ(slow.events.size(), 1U);
    grow(w, 19);
    w.world.run_for(1s);
    ASSERT_EQ(slow.events.size(), 2U);
    EXPECT_TRUE(slow.events[1].gap_potential);
    EXPECT_EQ(slow.events[1].change, (HeadChange{w.chain.at(100), {}, w.chain.range(101, 119)}));
    w.world.run_for(20s);
    grow(w, 1);
    ASSERT_EQ(slow.events.size(), 3U);
    EXPECT_FALSE(slow.events[2].gap_potential) << "later events are normal again";
}

TEST(HeadStreams, SlowConsumerDelaysNoOther) {
    FollowerWorld w(100, {.queue_length = 2});
    w.start();
    auto& stuck = w.add_consumer(24h);
    auto& quick = w.add_consumer();
    w.world.run_for(10ms);
    grow(w, 50);
    EXPECT_EQ(stuck.events.size(), 1U);
    ASSERT_EQ(quick.events.size(), 51U);
    for (std::size_t i = 1; i < quick.events.size(); ++i)
        EXPECT_FALSE(quick.events[i].gap_potential);
}

TEST(HeadStreams, GapWithReorgReportsRemovedBlocks) {
    FollowerWorld w(100, {.queue_length = 2});
    w.chain.finalized = 50;
    w.start();
    w.world.run_for(10ms);
    auto& slow = w.add_consumer(20s);
    w.world.run_for(10ms);
    const auto removed = w.chain.range(98, 100);
    grow(w, 5);
    w.chain.reorg(8, 9);
    grow(w, 5);
    w.world.run_for(20s);
    ASSERT_EQ(slow.events.size(), 2U);
    EXPECT_TRUE(slow.events[1].gap_potential);
    EXPECT_EQ(slow.events[1].change,
              (HeadChange{w.chain.at(97), removed, w.chain.range(98, w.chain.head().number.value())}))
        << "only blocks that this consumer knew are removed for it";
}

TEST(HeadStreams, ConsumerBelowWindowRestarts) {
    FollowerWorld w(100, {.queue_length = 2});
    w.chain.finalized = 90;
    w.start();
    w.world.run_for(10ms);
    auto& slow = w.add_consumer(60s);
    w.world.run_for(10ms);
    grow(w, 30);
    w.chain.finalized = 120;
    grow(w, 10);
    w.world.run_for(60s);
    ASSERT_EQ(slow.events.size(), 2U);
    EXPECT_EQ(slow.events[1].change, (HeadChange{std::nullopt, {}, w.chain.range(120, 140)}));
    EXPECT_TRUE(slow.events[1].gap_potential);
}

TEST(HeadStreams, DeliversQueuedReorgBelowNewFinality) {
    FollowerWorld w(100);
    w.chain.finalized = 90;
    w.start();
    w.world.run_for(10ms);
    auto& slow = w.add_consumer(60s);
    w.world.run_for(10ms);
    w.chain.reorg(5, 6);
    grow(w, 20);
    w.chain.finalized = 115;
    grow(w, 1);
    w.world.run_for(1h);
    EXPECT_EQ(*slow.view.head(), w.chain.head());
    for (std::size_t i = 1; i < slow.events.size(); ++i)
        EXPECT_FALSE(slow.events[i].gap_potential);
}

TEST(HeadStreams, DefaultsMatchRequirements) {
    const FollowerOptions options;
    EXPECT_EQ(options.max_window, 1000U) << "confirmations.blockQueueLength";
    EXPECT_EQ(options.queue_length, 1000U) << "confirmations.notificationQueueLength";
}

Task<void> take_one(HeadStream* stream, int* taken) {
    co_await stream->next();
    ++*taken;
}

Task<void> cancel_a_wait(HeadStream* stream, Clock* clock, Consumer* consumer) {
    co_await take_one(stream, &consumer->taken);
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(take_one(stream, &consumer->taken));
    co_await clock->sleep_for(1ms);
    group.cancel();
    co_await group.join();
    co_await clock->sleep_for(10s);
    while (true) {
        const auto event = co_await stream->next();
        consumer->events.push_back(event);
    }
}

TEST(HeadStreams, CancelledWaitLosesNothing) {
    FollowerWorld w(100);
    w.start();
    w.world.run_for(10ms);
    Consumer consumer(w.follower.subscribe());
    w.world.spawn(w.node, cancel_a_wait(consumer.stream.get(), &w.clock, &consumer));
    w.world.run_for(10ms);
    EXPECT_EQ(consumer.taken, 1);
    grow(w, 12);
    ASSERT_EQ(consumer.events.size(), 12U);
    EXPECT_EQ(consumer.events.front().change.added, w.chain.range(101, 101));
    EXPECT_EQ(consumer.events.back().change.added, w.chain.range(112, 112));
    w.world.kill(w.node);
}

Task<void> outlive(std::unique_ptr<HeadStream>* stream, int* taken) {
    co_await take_one(stream->get(), taken);
    co_await take_one(stream->get(), taken);
}

TEST(HeadStreams, StreamsAndFollowerMayBeDestroyedInAnyOrder) {
    std::unique_ptr<HeadStream> stream;
    int taken = 0;
    sim::World world(1);
    auto& node = world.start_node("node");
    {
        HeadStreams streams(10);
        stream = streams.subscribe();
        auto other = streams.subscribe();
        other.reset();
        const auto block = std::make_shared<const Block>();
        streams.replace({block}, {});
        world.spawn(node, outlive(&stream, &taken));
        world.run_for(1s);
    }
    world.run_for(1h);
    EXPECT_EQ(taken, 1) << "the second wait never ends, which is harmless";
    world.kill(node);
    stream.reset();  // before the executor that it waited on
}

Task<void> collect(StableBlockStream* stream, std::vector<BlockRef>* blocks, std::vector<StableBlocksError>* errors) {
    while (errors->size() < 2) {
        const auto block = co_await stream->next();
        if (block)
            blocks->push_back(*block);
        else
            errors->push_back(block.error());
    }
}

TEST(StableBlockStream, YieldsOnlyDeepEnoughBlocksAscending) {
    FollowerWorld w(100);
    w.chain.finalized = 95;
    w.start();
    std::vector<BlockRef> blocks;
    std::vector<StableBlocksError> errors;
    StableBlockStream stream(w.follower.subscribe(), 3);
    w.world.spawn(w.node, collect(&stream, &blocks, &errors));
    w.world.run_for(10ms);
    EXPECT_EQ(blocks, w.chain.range(95, 97));
    grow(w, 2);
    w.chain.reorg(3, 4);
    w.world.run_for(1s);
    EXPECT_EQ(blocks, w.chain.range(95, 100));

    w.chain.finalized = 95;
    w.chain.reorg(5, 7);
    w.world.run_for(1s);
    ASSERT_EQ(errors.size(), 2U) << "the error repeats, without a block in between";
    EXPECT_EQ(errors[0].kind, StableBlocksError::Kind::reorg_too_deep);
    EXPECT_EQ(errors[0], errors[1]);
    EXPECT_EQ(blocks.size(), 6U);
    w.world.kill(w.node);
}

}  // namespace
}  // namespace fencepost::evm
