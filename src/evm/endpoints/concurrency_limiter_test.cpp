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

class SlotsTest : public testing::Test {
protected:
    Task<void> hold(Use use, std::string name, Duration how_long, Duration patience = 1h) {
        const auto slot = co_await slots_.take(clock_.monotonic() + patience, use);
        events_.push_back((slot ? "" : "no ") + name);
        if (slot) co_await clock_.sleep_for(how_long);
    }
    void begin(Use use, std::string name, Duration how_long, Duration patience = 1h) {
        world_.spawn(node_, hold(use, std::move(name), how_long, patience));
        world_.run_for(1ms);
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("node");
    sim::SimClock clock_{node_};
    Slots slots_{node_.executor(), clock_, {.most = 4, .most_waiting = 2}};
    std::vector<std::string> events_;
};

using Events = std::vector<std::string>;

TEST_F(SlotsTest, SendsLeaveHalfOfThemToReads) {
    for (int i = 0; i < 5; ++i)
        begin(Use::send, "send", 1s);
    EXPECT_EQ(events_, (Events{"send", "send"}));
    begin(Use::read, "read", 1s);
    begin(Use::read, "read", 1s);
    EXPECT_EQ(events_, (Events{"send", "send", "read", "read"}));
    EXPECT_EQ(slots_.used(), 4U);
    world_.run_for(1min);
    EXPECT_EQ(events_.size(), 7U);
    EXPECT_EQ(slots_.used(), 0U);
}

TEST_F(SlotsTest, ReadsThatCameLaterDoNotPassASendThatMayGo) {
    for (int i = 0; i < 4; ++i)
        begin(Use::read, "first", 1s);
    begin(Use::read, "second", 1s);
    begin(Use::send, "send", 1s);
    begin(Use::read, "third", 1s);
    events_.clear();
    world_.run_for(1min);
    EXPECT_EQ(events_, (Events{"second", "send", "third"}));
}

TEST_F(SlotsTest, OnlyReadsAreTurnedAwayWhenManyWait) {
    for (int i = 0; i < 4; ++i)
        begin(Use::read, "holder", 1s);
    for (int i = 0; i < 20; ++i)
        begin(Use::send, "send", 1s);
    EXPECT_EQ(events_.size(), 4U);
    for (int i = 0; i < 3; ++i)
        begin(Use::read, "read", 1s);
    EXPECT_EQ(events_.back(), "no read") << "two are already queued";
    world_.run_for(1min);
    EXPECT_EQ(std::ranges::count(events_, "send"), 20);
}

TEST_F(SlotsTest, WhoRunsOutOfPatienceGivesUpItsPlace) {
    for (int i = 0; i < 2; ++i)
        begin(Use::send, "send", 10s);
    begin(Use::send, "impatient", 1s, 2s);
    begin(Use::send, "patient", 1s);
    world_.run_for(3s);
    EXPECT_EQ(events_.back(), "no impatient");
    world_.run_for(1min);
    EXPECT_EQ(events_.back(), "patient");
    EXPECT_EQ(slots_.used(), 0U);
}

TEST_F(SlotsTest, OneSlotIsForBoth) {
    slots_.shrink();
    slots_.shrink();
    ASSERT_EQ(slots_.limit(), 1U);
    begin(Use::send, "send", 1s);
    begin(Use::read, "read", 1s);
    EXPECT_EQ(events_, Events{"send"});
    world_.run_for(1min);
    EXPECT_EQ(events_, (Events{"send", "read"}));
}

}  // namespace
}  // namespace fencepost::evm
