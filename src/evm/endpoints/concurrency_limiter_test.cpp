// Shares of sends and reads, order of waiters, deadlines.
#include "evm/endpoints/concurrency_limiter.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "evm/endpoints/test_nodes.hpp"

namespace fencepost::evm {
namespace {

using namespace std::chrono_literals;

class ConcurrencyLimiterTest : public testing::Test {
protected:
    Task<void> hold(Purpose purpose, std::string name, Duration how_long, Duration patience = 1h) {
        const auto permit = co_await limiter_.take(clock_.monotonic() + patience, purpose);
        events_.push_back((permit ? "" : "no ") + name);
        if (permit) co_await clock_.sleep_for(how_long);
    }
    void begin(Purpose purpose, std::string name, Duration how_long, Duration patience = 1h) {
        world_.spawn(node_, hold(purpose, std::move(name), how_long, patience));
        world_.run_for(1ms);
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("node");
    sim::SimClock clock_{node_};
    ConcurrencyLimiter limiter_{node_.executor(), clock_, {.most = 4, .max_waiting = 2}};
    std::vector<std::string> events_;
};

using Events = std::vector<std::string>;

TEST_F(ConcurrencyLimiterTest, SendsLeaveHalfOfPermitsToReads) {
    for (int i = 0; i < 5; ++i)
        begin(Purpose::send, "send", 1s);
    EXPECT_EQ(events_, (Events{"send", "send"}));
    begin(Purpose::read, "read", 1s);
    begin(Purpose::read, "read", 1s);
    EXPECT_EQ(events_, (Events{"send", "send", "read", "read"}));
    EXPECT_EQ(limiter_.used(), 4U);
    world_.run_for(1min);
    EXPECT_EQ(events_.size(), 7U);
    EXPECT_EQ(limiter_.used(), 0U);
}

TEST_F(ConcurrencyLimiterTest, LaterReadsDoNotOvertakeEligibleSend) {
    for (int i = 0; i < 4; ++i)
        begin(Purpose::read, "first", 1s);
    begin(Purpose::read, "second", 1s);
    begin(Purpose::send, "send", 1s);
    begin(Purpose::read, "third", 1s);
    events_.clear();
    world_.run_for(1min);
    EXPECT_EQ(events_, (Events{"second", "send", "third"}));
}

TEST_F(ConcurrencyLimiterTest, RejectsOnlyReadsWhenQueueIsFull) {
    for (int i = 0; i < 4; ++i)
        begin(Purpose::read, "holder", 1s);
    for (int i = 0; i < 20; ++i)
        begin(Purpose::send, "send", 1s);
    EXPECT_EQ(events_.size(), 4U);
    for (int i = 0; i < 3; ++i)
        begin(Purpose::read, "read", 1s);
    EXPECT_EQ(events_.back(), "no read") << "two are already queued";
    world_.run_for(1min);
    EXPECT_EQ(std::ranges::count(events_, "send"), 20);
}

TEST_F(ConcurrencyLimiterTest, WaiterLeavesQueueAtItsDeadline) {
    for (int i = 0; i < 2; ++i)
        begin(Purpose::send, "send", 10s);
    begin(Purpose::send, "impatient", 1s, 2s);
    begin(Purpose::send, "patient", 1s);
    world_.run_for(3s);
    EXPECT_EQ(events_.back(), "no impatient");
    world_.run_for(1min);
    EXPECT_EQ(events_.back(), "patient");
    EXPECT_EQ(limiter_.used(), 0U);
}

TEST_F(ConcurrencyLimiterTest, SinglePermitServesReadsAndSends) {
    limiter_.shrink();
    limiter_.shrink();
    ASSERT_EQ(limiter_.limit(), 1U);
    begin(Purpose::send, "send", 1s);
    begin(Purpose::read, "read", 1s);
    EXPECT_EQ(events_, Events{"send"});
    world_.run_for(1min);
    EXPECT_EQ(events_, (Events{"send", "read"}));
}

}  // namespace
}  // namespace fencepost::evm
