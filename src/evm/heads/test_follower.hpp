// A follower of a test chain in virtual time, and consumers that record what they receive.
#pragma once

#include <memory>
#include <vector>

#include "evm/heads/block_follower.hpp"
#include "evm/test_chain.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"

namespace fencepost::evm::test {

/// Applies events as the port specifies.
struct Consumer {
    explicit Consumer(std::unique_ptr<HeadStream> stream_in) : stream(std::move(stream_in)) {}

    void apply(const HeadEvent& event) {
        FP_ASSERT(event.blocks.size() == event.change.added.size());
        for (std::size_t i = 0; i < event.blocks.size(); ++i)
            FP_ASSERT(event.blocks[i]->ref == event.change.added[i]);
        if (!event.change.common_ancestor) {
            view = {};
        } else {
            FP_ASSERT(view.contains(*event.change.common_ancestor), "the ancestor was never reported");
        }
        for (const auto& removed : event.change.removed)
            FP_ASSERT(view.contains(removed), "a removed block was never reported");
        const auto change = view.adopt(event.change.added);
        FP_ASSERT(change.has_value(), "the event does not link to the ones before");
        FP_ASSERT(!event.change.common_ancestor || change->removed == event.change.removed);
        if (event.finalized) view.prune_below(*event.finalized);
        events.push_back(event);
    }

    std::unique_ptr<HeadStream> stream;
    CanonicalChain view;
    std::vector<HeadEvent> events{};
    Duration pause{};
    int taken = 0;
};

inline Task<void> consume(Consumer* consumer, Clock* clock) {
    for (;;) {
        const auto event = co_await consumer->stream->next();
        consumer->apply(event);
        if (consumer->pause > Duration::zero()) co_await clock->sleep_for(consumer->pause);
    }
}

struct FollowerWorld {
    explicit FollowerWorld(std::uint64_t head, FollowerOptions options = {}, std::uint64_t seed = 1)
        : world(seed),
          node(world.start_node("node")),
          clock(node),
          chain(head),
          rpc([this](const Request& request) { return chain(request); }),
          follower(rpc, clock, log, std::move(options)) {}
    ~FollowerWorld() { world.kill(node); }
    FollowerWorld(const FollowerWorld&) = delete;
    FollowerWorld& operator=(const FollowerWorld&) = delete;

    void start() { world.spawn(node, follower.run()); }
    Consumer& add_consumer(Duration pause = {}) {
        consumers.push_back(std::make_unique<Consumer>(follower.subscribe()));
        consumers.back()->pause = pause;
        world.spawn(node, consume(consumers.back().get(), &clock));
        return *consumers.back();
    }

    sim::World world;
    sim::SimNode& node;
    sim::SimClock clock;
    TestLog log;
    TestChain chain;
    TestRpc rpc;
    BlockFollower follower;
    std::vector<std::unique_ptr<Consumer>> consumers;
};

}  // namespace fencepost::evm::test
