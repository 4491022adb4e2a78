#include "sim/world.hpp"

#include <set>
#include <stdexcept>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/async/async_semaphore.hpp"
#include "base/async/task_group.hpp"
#include "base/async/wakeup.hpp"
#include "sim/sim_clock.hpp"

namespace fencepost::sim {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

using Log = std::vector<std::string>;

// Registers its destruction, so that a leaked frame is detected.
struct Witness {
    Witness(std::set<std::string>* alive_in, std::string name_in) : alive(alive_in), name(std::move(name_in)) {
        alive->insert(name);
    }
    ~Witness() { alive->erase(name); }
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;

    std::set<std::string>* alive;
    std::string name;
};

Task<void> sleep_and_log(SimNode* node, Log* log, std::string name, Duration duration) {
    SimClock clock(*node);
    co_await clock.sleep_for(duration);
    log->push_back(name);
}

TEST(World, VirtualHourTakesNoRealTime) {
    World world(1);
    Log log;
    auto& node = world.start_node("a");
    world.spawn(node, sleep_and_log(&node, &log, "after an hour", 1h));
    world.run_for(59min);
    EXPECT_TRUE(log.empty());
    world.run_for(1min);
    EXPECT_EQ(log, Log{"after an hour"});
    EXPECT_EQ(world.now(), Instant(1h));
}

TEST(World, SleepsEndInOrderOfDeadlineThenStart) {
    World world(1);
    Log log;
    auto& node = world.start_node("a");
    world.spawn(node, sleep_and_log(&node, &log, "third", 3s));
    world.spawn(node, sleep_and_log(&node, &log, "first", 1s));
    world.spawn(node, sleep_and_log(&node, &log, "second", 1s));
    world.run_for(1min);
    EXPECT_EQ(log, (Log{"first", "second", "third"}));
}

Task<void> yield_and_log(Log* log, std::string name, int times) {
    for (int i = 0; i < times; ++i) {
        log->push_back(name);
        co_await asio::post(asio::use_awaitable);
    }
}

TEST(World, NodeRunsItsWorkInQueueOrder) {
    World world(7);
    Log log;
    auto& node = world.start_node("a");
    world.spawn(node, yield_and_log(&log, "x", 3));
    world.spawn(node, yield_and_log(&log, "y", 3));
    world.run_for(1s);
    EXPECT_EQ(log, (Log{"x", "y", "x", "y", "x", "y"}));
}

Log interleaving_of(std::uint64_t seed) {
    World world(seed);
    Log log;
    world.spawn(world.start_node("a"), yield_and_log(&log, "a", 20));
    world.spawn(world.start_node("b"), yield_and_log(&log, "b", 20));
    world.run_for(1s);
    return log;
}

TEST(World, SeedDecidesTheOrderBetweenNodes) {
    EXPECT_EQ(interleaving_of(1), interleaving_of(1));
    std::set<Log> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        seen.insert(interleaving_of(seed));
    EXPECT_GT(seen.size(), 15U);
}

// Everything a lane does: tasks in a group, a race against a timer, a channel.
Task<void> busy_node(SimNode* node, std::set<std::string>* alive, std::string name) {
    const Witness witness(alive, name);
    SimClock clock(*node);
    TaskGroup group(co_await asio::this_coro::executor);
    Wakeup bell(co_await asio::this_coro::executor);
    group.spawn(bell.wait());
    group.spawn(clock.sleep_for(24h));
    for (;;) {
        co_await (clock.sleep_for(1s) || clock.sleep_for(10h));
        Wakeup nobody_rings(co_await asio::this_coro::executor);
        co_await clock.wait_until(&nobody_rings, clock.monotonic() + 1ms);
        co_await (clock.sleep_for(1ms) && asio::post(asio::use_awaitable));
    }
}

TEST(World, KillDestroysFramesAndTimersAtAnyPoint) {
    for (std::uint64_t step = 0; step < 200; ++step) {
        std::set<std::string> alive;  // outlives the world, whose end destroys frames
        World world(step);
        auto& victim = world.start_node("victim");
        auto& other = world.start_node("other");
        world.spawn(victim, busy_node(&victim, &alive, "victim"));
        world.spawn(other, busy_node(&other, &alive, "other"));
        world.run_for(Duration(step * 37ms));
        world.kill(victim);
        EXPECT_FALSE(alive.contains("victim"));
        EXPECT_FALSE(victim.is_alive());
        world.run_for(5s);
        EXPECT_TRUE(alive.contains("other")) << "the other node lives on";
    }
}

Task<void> kill_oneself(SimNode* node, std::set<std::string>* alive) {
    const Witness witness(alive, "self");
    node->world().kill(*node);
    EXPECT_TRUE(node->is_alive()) << "dies after the step";
    co_await asio::post(asio::use_awaitable);
    ADD_FAILURE() << "a dead node continued";
}

TEST(World, ANodeThatKillsItselfDiesAfterTheStep) {
    std::set<std::string> alive;
    World world(1);
    auto& node = world.start_node("a");
    world.spawn(node, kill_oneself(&node, &alive));
    world.run_for(1s);
    EXPECT_TRUE(alive.empty());
    EXPECT_FALSE(node.is_alive());
}

struct RingsWhenItGoes {
    Wakeup& bell;
    ~RingsWhenItGoes() { bell.notify(); }
};
Task<void> ring_at_the_end(Wakeup* first, Wakeup* bell) {
    const RingsWhenItGoes ringing{*bell};
    co_await first->wait();
}

TEST(World, WakeUpFromADestructorWakesNoTaskOfADeadNode) {
    World world(1);
    auto& node = world.start_node("a");
    // In both orders: the channels are shut down one after the other.
    Wakeup first{fencepost::Executor(node.executor())};
    Wakeup second{fencepost::Executor(node.executor())};
    for (auto [mine, others] : {std::pair(&first, &second), std::pair(&second, &first)})
        world.spawn(node, ring_at_the_end(mine, others));
    world.run_for(1s);
    world.kill(node);
}

Task<void> hold_a_turn(AsyncSemaphore* turns, SimClock* clock) {
    const auto turn = co_await turns->take();
    co_await clock->sleep_for(1h);
}

TEST(World, SemaphorePermitReleasedInADeadNodeIsLost) {
    World world(1);
    auto& node = world.start_node("a");
    SimClock clock(node);
    AsyncSemaphore turns(fencepost::Executor(node.executor()), 1);
    for (int i = 0; i < 3; ++i)
        world.spawn(node, hold_a_turn(&turns, &clock));
    world.run_for(1s);
    world.kill(node);
}

TEST(World, WorkForADeadNodeIsDropped) {
    std::set<std::string> alive;
    World world(1);
    auto& node = world.start_node("a");
    world.kill(node);
    world.kill(node);
    world.spawn(node, busy_node(&node, &alive, "late"));
    world.run_for(1s);
    EXPECT_TRUE(alive.empty());
}

TEST(World, PausedNodeStopsWhileTimeContinues) {
    World world(1);
    Log log;
    auto& paused = world.start_node("paused");
    auto& other = world.start_node("other");
    world.spawn(paused, sleep_and_log(&paused, &log, "paused", 1s));
    world.spawn(other, sleep_and_log(&other, &log, "other", 5s));
    world.run_for(500ms);
    world.pause(paused);
    world.run_for(10s);
    EXPECT_EQ(log, Log{"other"});
    world.resume(paused);
    world.run_for(1ms);
    EXPECT_EQ(log, (Log{"other", "paused"})) << "a timer that expired meanwhile fires late";
}

TEST(World, ClockSkewAffectsTheDateOnly) {
    World world(1);
    auto& node = world.start_node("a");
    const SimClock clock(node);
    node.set_clock_skew(-3min);
    world.run_for(10s);
    EXPECT_EQ(clock.unix_now(), world.unix_now() - 3min);
    EXPECT_EQ(clock.monotonic(), world.now());
}

Task<void> cancel_a_sleep(SimNode* node, Log* log) {
    SimClock clock(*node);
    TaskGroup group(co_await asio::this_coro::executor);
    group.spawn(sleep_and_log(node, log, "never", 1h));
    co_await clock.sleep_for(1s);
    group.cancel();
    co_await group.join();
    log->emplace_back("cancelled at " + std::to_string(clock.monotonic().time_since_epoch() / 1s));
}

TEST(World, ASleepCanBeCancelled) {
    World world(1);
    Log log;
    auto& node = world.start_node("a");
    world.spawn(node, cancel_a_sleep(&node, &log));
    world.run_for(2h);
    EXPECT_EQ(log, Log{"cancelled at 1"});
}

Task<void> fail_after(SimNode* node, Duration duration) {
    SimClock clock(*node);
    co_await clock.sleep_for(duration);
    throw std::runtime_error("law broken");
}

TEST(World, UncaughtExceptionEndsTheRun) {
    World world(1);
    auto& node = world.start_node("a");
    world.spawn(node, fail_after(&node, 3s));
    EXPECT_THROW(world.run_for(1min), std::runtime_error);
    EXPECT_EQ(world.now(), Instant(3s));
}

TEST(World, TraceDistinguishesNotes) {
    World a(1);
    World b(1);
    a.note("x");
    b.note("y");
    EXPECT_NE(a.trace_hash(), b.trace_hash());
}

}  // namespace
}  // namespace fencepost::sim
