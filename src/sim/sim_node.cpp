#include "sim/sim_node.hpp"

#include <utility>

#include <boost/asio/error.hpp>

#include "base/async/task_group.hpp"
#include "sim/world.hpp"

namespace fencepost::sim {

SimNode::SimNode(World& world, std::size_t index, std::string name)
    : world_(world),
      index_(index),
      name_(std::move(name)) {}

SimNode::~SimNode() { die(); }

SimNode::Executor SimNode::executor() { return Executor(*this); }

bool SimNode::Executor::is_running_here() const { return node_->alive_ && node_->world_.running() == node_; }

void SimNode::enqueue(Work work) {
    // Work for a dead node is dropped here, together with the coroutine frames it owns.
    if (alive_) ready_.push_back(std::move(work));
}

SimNode::TimerKey SimNode::set_timer(Instant deadline, TimerHandler handler) {
    const TimerKey key{deadline, next_timer_++};
    if (alive_) timers_.emplace(key, std::move(handler));
    return key;
}

void SimNode::cancel_timer(const TimerKey& key) {
    auto timer = timers_.extract(key);
    if (timer.empty()) return;
    enqueue([handler = std::move(timer.mapped())]() mutable { handler(asio::error::operation_aborted); });
}

void SimNode::collect_due_timers(Instant now) {
    while (!timers_.empty() && timers_.begin()->first.deadline <= now) {
        auto timer = timers_.extract(timers_.begin());
        enqueue([handler = std::move(timer.mapped())]() mutable { handler({}); });
    }
}

void SimNode::die() {
    if (!std::exchange(alive_, false)) return;
    Teardown::begin(*this);
    // Destroying this work runs destructors of frames that may cancel timers or post work: detach it first.
    auto timers = std::exchange(timers_, {});
    auto ready = std::exchange(ready_, {});
    timers.clear();
    ready.clear();
    shutdown();  // handlers waiting in channels
}

}  // namespace fencepost::sim
