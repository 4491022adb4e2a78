#include "api/readiness.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>

#include "base/async/task_group.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"

namespace fencepost::api {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

class ReadinessTest : public testing::Test {
protected:
    ~ReadinessTest() override { world_.kill(node_); }

    static Task<HealthCheck> check(ReadinessTest* test) {
        ++test->looks_;
        co_await test->clock_.sleep_for(test->takes_);
        co_return HealthCheck{.name = "database", .ok = test->ok_, .detail = {}};
    }
    static Task<void> keep(ReadinessTest* test, std::optional<bool>* answer) {
        const auto found = co_await test->readiness_.ask();
        *answer = found.at(0).ok;
    }
    static Task<void> keep_unless_gone(ReadinessTest* test, std::optional<bool>* answer) {
        co_await (keep(test, answer) || test->clock_.sleep_for(10ms));
    }

    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("a");
    sim::SimClock clock_{node_};
    Duration takes_ = 100ms;
    bool ok_ = true;
    int looks_ = 0;
    std::vector<MakeHealthCheck> checks_{[this] { return check(this); }};
    Readiness readiness_{node_.executor(), clock_, checks_};
};

TEST_F(ReadinessTest, ConcurrentRequestsShareOneCheck) {
    std::vector<std::optional<bool>> answers(1'000);
    for (auto& answer : answers)
        world_.spawn(node_, keep(this, &answer));
    world_.run_for(150ms);
    EXPECT_EQ(looks_, 1);
    for (const auto& answer : answers)
        EXPECT_EQ(answer, true);
}

TEST_F(ReadinessTest, CachesTheResultForOneSecond) {
    std::optional<bool> first;
    world_.spawn(node_, keep(this, &first));
    world_.run_for(100ms);
    EXPECT_EQ(first, true);
    ok_ = false;
    std::optional<bool> soon;
    world_.run_for(900ms);
    world_.spawn(node_, keep(this, &soon));
    world_.run_for(50ms);
    EXPECT_EQ(soon, true);
    std::optional<bool> later;
    world_.run_for(100ms);
    world_.spawn(node_, keep(this, &later));
    world_.run_for(150ms);
    EXPECT_EQ(later, false);
    EXPECT_EQ(looks_, 2);
}

TEST_F(ReadinessTest, AnotherRequestTakesOverACancelledCheck) {
    std::optional<bool> gone;
    std::optional<bool> stays;
    world_.spawn(node_, keep_unless_gone(this, &gone));
    world_.spawn(node_, keep(this, &stays));
    world_.run_for(200ms);
    EXPECT_FALSE(gone);
    EXPECT_EQ(stays, true);
    EXPECT_EQ(looks_, 2);
}

}  // namespace
}  // namespace fencepost::api
