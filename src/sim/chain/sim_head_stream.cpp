#include "sim/chain/sim_head_stream.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::sim {
namespace {

// Delay until a node learns of a block that an endpoint has.
constexpr Latency announcement{.least = std::chrono::milliseconds(1), .most = std::chrono::milliseconds(50)};

const SimBlock* common_ancestor(const SimBlock* a, const SimBlock* b) {
    while (a != b) {
        const auto number = std::pair(a->number(), b->number());
        if (number.first >= number.second) a = a->parent;
        if (number.second >= number.first) b = b->parent;
    }
    return a;
}

// The blocks above `ancestor` (all, without one) up to `head`, in ascending order.
std::vector<const SimBlock*> blocks_between(const SimBlock* ancestor, const SimBlock* head, BlockNumber lowest) {
    std::vector<const SimBlock*> blocks;
    for (const auto* block = head; block != nullptr && block != ancestor && block->number() >= lowest;
         block = block->parent)
        blocks.push_back(block);
    std::ranges::reverse(blocks);
    return blocks;
}

}  // namespace

SimHeadStream::SimHeadStream(SimNode& node, SimNetwork& network, std::shared_ptr<SimFollower> follower)
    : network_(network),
      clock_(node),
      random_(node.world().random().fork()),
      follower_(std::move(follower)),
      head_wakeups_(network.head_wakeups()),
      bell_(fencepost::Executor(node.executor())) {
    head_wakeups_->add(&bell_);
}

SimHeadStream::~SimHeadStream() { head_wakeups_->remove(&bell_); }

Task<HeadEvent> SimHeadStream::next() {
    for (;;) {
        const auto* head = follower_->poll();
        if (head != nullptr && head != last_reported_) co_return make_event(*head);
        co_await wait_for_change();
        co_await clock_.sleep_for(announcement.draw(random_));
    }
}

Task<void> SimHeadStream::wait_for_change() {
    const auto step = follower_->next_step();
    if (step) {
        co_await clock_.wait_until(&bell_, *step);
    } else {
        co_await bell_.wait();
    }
}

HeadEvent SimHeadStream::make_event(const SimBlock& head) {
    const SimBlock* ancestor = last_reported_ == nullptr ? nullptr : common_ancestor(last_reported_, &head);
    // A fork below what the consumer holds as finalized: start anew.
    if (ancestor != nullptr && finalized_ && ancestor->number() < *finalized_) ancestor = nullptr;

    HeadEvent event;
    event.safe = head.safe;
    event.finalized = ancestor == nullptr ? head.finalized : std::max(finalized_, head.finalized);
    const BlockNumber lowest = ancestor == nullptr ? event.finalized.value_or(BlockNumber{}) : BlockNumber{};
    for (const auto* block : blocks_between(ancestor, &head, lowest)) {
        event.change.added.push_back(block->ref());
        event.blocks.push_back(block->block);
    }
    if (ancestor != nullptr) {
        event.change.common_ancestor = ancestor->ref();
        for (const auto* block : blocks_between(ancestor, last_reported_, BlockNumber{}))
            event.change.removed.push_back(block->ref());
    }
    const std::size_t steps = network_.ledger().steps().size();
    event.gap_potential = ancestor == nullptr || steps > last_reported_steps_ + 1;
    last_reported_steps_ = steps;
    last_reported_ = &head;
    finalized_ = event.finalized;
    return event;
}

}  // namespace fencepost::sim
