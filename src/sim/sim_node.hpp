// A simulated process: an Asio execution context whose work the World runs one handler at a time, and whose timers run
// on virtual time. Unmodified coroutines, channels and awaitable operators run on it.
//
// A kill is a crash: coroutine frames, queued work and timers are destroyed wherever they are, and nothing more runs.
// Destructors still run, so they must do no I/O: a dead process does none.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>

#include "base/async/task.hpp"
#include "base/time.hpp"

namespace fencepost::sim {

class World;

class SimNode : public asio::execution_context {
public:
    class Executor;
    using Work = std::move_only_function<void()>;
    using TimerHandler = std::move_only_function<void(boost::system::error_code)>;
    /// Timers due at the same instant fire in the order in which they were set.
    struct TimerKey {
        Instant deadline;
        std::uint64_t serial = 0;
        friend auto operator<=>(const TimerKey&, const TimerKey&) = default;
    };

    SimNode(World& world, std::size_t index, std::string name);
    ~SimNode();

    [[nodiscard]] Executor executor();
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::size_t index() const { return index_; }
    [[nodiscard]] World& world() { return world_; }
    [[nodiscard]] bool is_alive() const { return alive_; }
    [[nodiscard]] bool is_paused() const { return paused_; }

    /// The offset of this node's date. Its monotonic time is not affected.
    [[nodiscard]] Duration clock_skew() const { return skew_; }
    void set_clock_skew(Duration skew) { skew_ = skew; }

    /// The number of queued handlers and timers.
    [[nodiscard]] std::size_t backlog() const { return ready_.size() + timers_.size(); }

    TimerKey set_timer(Instant deadline, TimerHandler handler);
    /// Completes the timer now, as cancelled, if it has not fired yet.
    void cancel_timer(const TimerKey& key);
    /// Does not call its handler.
    void drop_timer(const TimerKey& key) { timers_.erase(key); }

private:
    friend class World;

    void enqueue(Work work);
    void die();
    void collect_due_timers(Instant now);
    [[nodiscard]] bool is_runnable() const { return alive_ && !paused_ && !ready_.empty(); }

    World& world_;
    std::size_t index_;
    std::string name_;
    bool alive_ = true;
    bool paused_ = false;
    Duration skew_{};
    std::uint64_t next_timer_ = 0;
    std::deque<Work> ready_;
    std::map<TimerKey, TimerHandler> timers_;
};

/// The executor that Asio requires. Work submitted to a dead node is destroyed instead of run.
class SimNode::Executor {
public:
    explicit Executor(SimNode& node, bool may_run_inline = true) : node_(&node), may_run_inline_(may_run_inline) {}

    [[nodiscard]] SimNode& query(asio::execution::context_t /*property*/) const noexcept { return *node_; }
    [[nodiscard]] asio::execution::blocking_t query(asio::execution::blocking_t /*property*/) const noexcept {
        if (may_run_inline_) return asio::execution::blocking.possibly;
        return asio::execution::blocking.never;
    }
    [[nodiscard]] Executor require(asio::execution::blocking_t::possibly_t /*property*/) const {
        return Executor(*node_, true);
    }
    [[nodiscard]] Executor require(asio::execution::blocking_t::never_t /*property*/) const {
        return Executor(*node_, false);
    }

    template <typename F>
    void execute(F&& f) const {
        if (may_run_inline_ && is_running_here()) {
            std::decay_t<F> work(std::forward<F>(f));
            work();
        } else {
            node_->enqueue(Work(std::forward<F>(f)));
        }
    }

    friend bool operator==(const Executor&, const Executor&) noexcept = default;

private:
    [[nodiscard]] bool is_running_here() const;

    SimNode* node_;
    bool may_run_inline_;
};

}  // namespace fencepost::sim
