#include "sim/world.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/assert.hpp"
#include "base/async/task_group.hpp"

namespace fencepost::sim {
namespace {

// An arbitrary recent day, so that dates in traces are plausible.
constexpr UnixTime epoch = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

// This many steps at one instant of virtual time indicate a loop without a wait.
constexpr std::uint64_t max_steps_per_instant = 10'000'000;

}  // namespace

World::World(std::uint64_t seed) : random_(seed) {}

World::~World() {
    for (auto& node : nodes_)
        node->die();
}

SimNode& World::start_node(std::string name) {
    nodes_.push_back(std::make_unique<SimNode>(*this, nodes_.size(), std::move(name)));
    live_.push_back(nodes_.back().get());
    return *live_.back();
}

void World::spawn(SimNode& node, Task<void> task) {
    asio::co_spawn(fencepost::Executor(node.executor()), std::move(task), [this](const std::exception_ptr& error) {
        if (error && !is_cancellation(error) && !error_) error_ = error;
    });
}

void World::kill(SimNode& node) {
    if (&node == running_) {
        kill_running_ = true;
        return;
    }
    if (!node.is_alive()) return;
    note("kill");
    trace_.add(node.index());
    std::erase(live_, &node);
    node.die();
}

void World::pause(SimNode& node) { node.paused_ = true; }
void World::resume(SimNode& node) { node.paused_ = false; }

UnixTime World::unix_now() const {
    return epoch + std::chrono::duration_cast<std::chrono::microseconds>(now_.time_since_epoch());
}

void World::run_until(Instant deadline) {
    FP_ASSERT(running_ == nullptr, "a world cannot be run from inside");
    while (step(deadline)) {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
        if (std::exchange(stopping_, false)) return;
    }
    now_ = std::max(now_, deadline);
}

bool World::step(Instant deadline) {
    auto* node = pick_runnable();
    if (node == nullptr) return advance_time(deadline);
    run_one(*node);
    return true;
}

SimNode* World::pick_runnable() {
    std::uint64_t runnable = 0;
    SimNode* last = nullptr;
    for (auto* node : live_) {
        if (!node->is_paused()) node->collect_due_timers(now_);
        if (!node->is_runnable()) continue;
        ++runnable;
        last = node;
    }
    if (runnable <= 1) return last;
    auto chosen = random_.below(runnable);
    for (auto* node : live_) {
        if (node->is_runnable() && chosen-- == 0) return node;
    }
    FP_UNREACHABLE();
}

void World::run_one(SimNode& node) {
    ++steps_;
    FP_ASSERT(++steps_at_this_instant_ < max_steps_per_instant, "{} never waits for anything", node.name());
    trace_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
    trace_.add(node.index());
    {
        auto work = std::move(node.ready_.front());
        node.ready_.pop_front();
        running_ = &node;
        work();
        running_ = nullptr;
    }
    if (std::exchange(kill_running_, false)) kill(node);
}

bool World::advance_time(Instant deadline) {
    const auto next = [](const SimNode* node) {
        return node->is_paused() || node->timers_.empty() ? Instant::max() : node->timers_.begin()->first.deadline;
    };
    auto earliest = Instant::max();
    for (const auto* node : live_)
        earliest = std::min(earliest, next(node));
    if (earliest > deadline) return false;
    if (earliest > now_) steps_at_this_instant_ = 0;
    now_ = std::max(now_, earliest);
    return true;
}

}  // namespace fencepost::sim
