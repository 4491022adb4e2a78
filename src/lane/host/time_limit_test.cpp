#include "lane/host/time_limit.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/async/cancellation.hpp"
#include "base/async/task_group.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"

namespace fencepost::lane {
namespace {

using namespace std::chrono_literals;

class TimeLimit : public ::testing::Test {
protected:
    Task<void> work(Duration takes) {
        co_await clock_.sleep_for(takes);
        done_ = true;
    }
    Task<void> fail(Duration after) {
        if (after > 0s) co_await clock_.sleep_for(after);
        throw std::runtime_error("broken");
    }
    Task<void> complain_of_being_late() {
        try {
            co_await clock_.sleep_for(1h);
        } catch (const boost::system::system_error&) {
            throw std::runtime_error("broken");
        }
    }
    Task<void> claim_to_be_cancelled() {
        co_await clock_.sleep_for(1s);
        throw Cancelled();
    }
    // How it ended, and when.
    Task<void> run(Duration limit, Task<void> task) {
        try {
            const bool in_time = co_await run_within(&clock_, limit, std::move(task));
            ended_ = in_time ? "well" : "late";
        } catch (const std::runtime_error& error) {
            ended_ = dynamic_cast<const boost::system::system_error*>(&error) == nullptr ? error.what() : "cancelled";
        }
        took_ = clock_.monotonic() - Instant{};
    }
    void go(Duration limit, Task<void> task) {
        world_.spawn(node_, run(limit, std::move(task)));
        world_.run_for(1min);
    }
    Task<void> cancel_after(Duration delay, TaskGroup* group) {
        co_await clock_.sleep_for(delay);
        group->cancel();
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    bool done_ = false;
    std::string ended_;
    Duration took_{};
};

TEST_F(TimeLimit, FinishesWithinTheLimit) {
    go(5s, work(2s));
    EXPECT_TRUE(done_);
    EXPECT_EQ(ended_, "well");
    EXPECT_EQ(took_, 2s);
}

TEST_F(TimeLimit, CancelsAtTheLimitWithoutAnError) {
    go(5s, work(20s));
    EXPECT_FALSE(done_);
    EXPECT_EQ(ended_, "late");
    EXPECT_EQ(took_, 5s);
}

TEST_F(TimeLimit, RethrowsErrorsOfTheTask) {
    go(5s, fail(0s));
    EXPECT_EQ(ended_, "broken");
    go(5s, fail(2s));
    EXPECT_EQ(ended_, "broken");
    go(5s, complain_of_being_late());
    EXPECT_EQ(ended_, "broken") << "also an error during cancellation";
    go(5s, claim_to_be_cancelled());
    EXPECT_EQ(ended_, "cancelled") << "without a requested cancellation";
}

TEST_F(TimeLimit, CancelledCallerCancelsTheTask) {
    TaskGroup group{Executor(node_.executor())};
    group.spawn(run(50s, work(20s)));
    world_.spawn(node_, cancel_after(3s, &group));
    world_.run_for(1min);
    EXPECT_EQ(ended_, "cancelled");
    EXPECT_EQ(took_, 3s);
    EXPECT_FALSE(done_);
    EXPECT_EQ(group.running(), 0U);
}

}  // namespace
}  // namespace fencepost::lane
