#include "lane/host/lane_shards.hpp"

#include <array>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lane/test_host.hpp"

namespace fencepost::lane {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SubmitterId numbered(std::uint32_t number) {
    Address address;
    for (std::size_t i = 0; i < sizeof(number); ++i)
        address.data[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return SubmitterId::evm(1, address);
}

// A stopped clock: sleeps end when the test says so.
class StoppedClock final : public Clock {
public:
    explicit StoppedClock(const Executor& executor) : bell_(executor) {}
    [[nodiscard]] Instant monotonic() const override { return Instant(std::chrono::hours(1)); }
    [[nodiscard]] UnixTime unix_now() const override { return {}; }
    [[nodiscard]] Task<void> sleep_until(Instant /*deadline*/) override { return bell_.wait(); }
    [[nodiscard]] Task<void> wait_until(Wakeup* wakeup, Instant /*deadline*/) override { return wakeup->wait(); }
    void go() { bell_.notify(); }

private:
    Wakeup bell_;
};

struct Worker {
    asio::io_context context;
    StoppedClock clock{context.get_executor()};
    test::ScriptedHost scripted{context.get_executor(), clock};

    ~Worker() {
        scripted.tasks.cancel();
        run();
    }
    void run() {
        context.restart();
        context.poll();
    }
};

class LaneShardsTest : public ::testing::Test {
protected:
    ~LaneShardsTest() override {
        group_.cancel();
        run_caller();
    }

    void run_caller() {
        caller_.restart();
        caller_.poll();
    }
    Task<void> keep_lanes() { lanes_ = co_await shards_.open_lanes(); }
    Task<void> keep_released() {
        co_await shards_.release_all(&clock_);
        released_ = true;
    }

    std::array<Worker, 3> workers_;
    asio::io_context caller_;
    StoppedClock clock_{caller_.get_executor()};
    LaneShards shards_{{{workers_[0].context.get_executor(), &workers_[0].scripted.host},
                        {workers_[1].context.get_executor(), &workers_[1].scripted.host},
                        {workers_[2].context.get_executor(), &workers_[2].scripted.host}}};
    std::optional<std::vector<OpenLane>> lanes_;
    bool released_ = false;
    TaskGroup group_{caller_.get_executor()};
};

// Changing shards between versions would be harmless; two shards for one submitter would not.
TEST(ShardOf, IsPinned) {
    EXPECT_EQ(shard_of(numbered(1), 1), 0U);
    EXPECT_EQ(shard_of(numbered(1), 1000), 379U);
}

RC_GTEST_PROP(ShardOf, EverySubmitterHasOneShard, (std::uint32_t number)) {
    const auto shards = *rc::gen::inRange<std::size_t>(1, 64);
    RC_ASSERT(shard_of(numbered(number), shards) < shards);
    RC_ASSERT(shard_of(numbered(number), shards) == shard_of(numbered(number), shards));
}

TEST(ShardOf, DistributesEvenlyOverShards) {
    std::array<int, 4> count{};
    for (std::uint32_t i = 0; i < 4000; ++i)
        ++count.at(shard_of(numbered(i), count.size()));
    for (const auto got : count)
        EXPECT_NEAR(got, 1000, 120);
}

TEST_F(LaneShardsTest, LaneIsOpenedOnItsShardOnly) {
    const auto submitter = numbered(7);
    const auto shard = shard_of(submitter, 3);
    shards_.open(submitter, {});
    shards_.wake(submitter);
    EXPECT_THAT(workers_[shard].scripted.store.opened, IsEmpty()) << "the caller does not do it itself";
    for (auto& worker : workers_)
        worker.run();
    for (std::size_t i = 0; i < workers_.size(); ++i)
        EXPECT_EQ(workers_[i].scripted.store.opened.contains(submitter), i == shard);
}

TEST_F(LaneShardsTest, CollectsTheLanesOfAllShards) {
    for (std::uint32_t i = 0; i < 30; ++i)
        shards_.open(numbered(i), {});
    group_.spawn(keep_lanes());
    run_caller();
    workers_[0].run();
    workers_[1].run();
    run_caller();
    EXPECT_FALSE(lanes_.has_value()) << "one shard has not answered";
    workers_[2].run();
    run_caller();
    EXPECT_EQ(lanes_.value().size(), 30U);
}

TEST_F(LaneShardsTest, CancelledCallerLeavesAnUnreadAnswer) {
    group_.spawn(keep_lanes());
    run_caller();
    group_.cancel();
    run_caller();
    EXPECT_EQ(group_.running(), 0U);
    for (auto& worker : workers_)
        worker.run();
    run_caller();
    EXPECT_FALSE(lanes_.has_value());
}

TEST_F(LaneShardsTest, ReleaseAllIncludesLanesOpenedMeanwhile) {
    shards_.open(numbered(1), {});
    for (auto& worker : workers_)
        worker.run();
    group_.spawn(keep_released());
    run_caller();
    shards_.open(numbered(2), {});
    for (int i = 0; i < 5; ++i) {
        for (auto& worker : workers_)
            worker.run();
        run_caller();
        clock_.go();
    }
    EXPECT_FALSE(released_) << "a lane sleeps before it reopens";
    for (int i = 0; i < 5; ++i) {
        for (auto& worker : workers_) {
            worker.clock.go();
            worker.run();
        }
        clock_.go();
        run_caller();
    }
    EXPECT_TRUE(released_);
    EXPECT_THAT(workers_[shard_of(numbered(1), 3)].scripted.host.open_lanes(), IsEmpty());
}

}  // namespace
}  // namespace fencepost::lane
