// Virtual time and the simulated nodes, in one thread. A node's work runs in the order it was queued; between nodes the
// seed chooses. Time stops while anything can run and then jumps to the next timer, so a simulated hour takes only as
// long as its work.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/task.hpp"
#include "base/time.hpp"
#include "sim/seeded_random.hpp"
#include "sim/sim_node.hpp"
#include "sim/trace.hpp"

namespace fencepost::sim {

class World {
public:
    explicit World(std::uint64_t seed);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// A new process. A restarted one is a new node, often with the name of an earlier one.
    SimNode& start_node(std::string name);
    /// Runs a task on a node. An exception that leaves the task ends the run: run_until() throws it.
    void spawn(SimNode& node, Task<void> task);

    /// A crash: the node's tasks are destroyed where they are suspended. Data stored elsewhere stays. A node that kills
    /// itself dies after its current step.
    void kill(SimNode& node);
    /// Stops the node while time continues (a stopped process, a long garbage collection); its timers fire late.
    void pause(SimNode& node);
    void resume(SimNode& node);

    /// Runs until virtual time reaches the deadline, or nothing can run and no timer is due before it.
    void run_until(Instant deadline);
    void run_for(Duration duration) { run_until(now_ + duration); }

    /// Ends the current run after the current step; the next one continues from there.
    void stop() { stopping_ = true; }

    [[nodiscard]] Instant now() const { return now_; }
    /// The date by the world's exact clock, which the database's clock follows unless it is set.
    [[nodiscard]] UnixTime unix_now() const;
    [[nodiscard]] SimNode* running() const { return running_; }
    [[nodiscard]] SeededRandom& random() { return random_; }

    /// Adds something that happened beyond the order of steps to the trace.
    void note(std::string_view what) { trace_.add(what); }
    [[nodiscard]] std::uint64_t trace_hash() const { return trace_.hash(); }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
    bool step(Instant deadline);
    void run_one(SimNode& node);
    [[nodiscard]] SimNode* pick_runnable();
    [[nodiscard]] bool advance_time(Instant deadline);

    SeededRandom random_;
    Instant now_{};
    Trace trace_;
    std::uint64_t steps_ = 0;
    std::uint64_t steps_at_this_instant_ = 0;
    bool stopping_ = false;
    SimNode* running_ = nullptr;
    bool kill_running_ = false;
    std::exception_ptr error_;
    // Dead nodes are kept until the end: executors may still point to them.
    std::vector<std::unique_ptr<SimNode>> nodes_;
    std::vector<SimNode*> live_;
};

}  // namespace fencepost::sim
