// Lanes on real threads: every call for a submitter runs on the thread of its shard, from any caller.
#include "lane/host/lane_shards.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lane/test_host.hpp"
#include "system/system_clock.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

SubmitterId numbered(std::uint8_t number) {
    Address address;
    address.data[0] = number;
    return SubmitterId::evm(1, address);
}

// A worker as the service makes it. Its records are read after it has ended.
struct Worker {
    Worker() {
        parts.store.on_call = [this](const SubmitterId& submitter) {
            threads[submitter].insert(std::this_thread::get_id());
        };
    }
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void start() {
        thread = std::jthread([this] { context.run(); });
        id = thread.get_id();
    }
    void stop() {
        if (!thread.joinable()) return;
        asio::post(context, [this] { parts.tasks.cancel(); });
        work.reset();
        thread.join();
    }

    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    SystemClock clock;
    lane::test::ScriptedHost parts{context.get_executor(), clock};
    std::map<SubmitterId, std::set<std::thread::id>> threads;
    std::jthread thread;
    std::thread::id id;
};

class LaneShardsOnThreads : public testing::Test {
protected:
    LaneShardsOnThreads() {
        for (auto& worker : workers_)
            worker.start();
    }

    [[nodiscard]] lane::LaneShards shards() {
        std::vector<lane::LaneShards::Shard> shards;
        for (auto& worker : workers_)
            shards.push_back({worker.context.get_executor(), &worker.parts.host});
        return lane::LaneShards(std::move(shards));
    }
    Task<void> drive(const lane::LaneShards* shards) {
        const auto here = std::this_thread::get_id();
        for (std::uint8_t i = 0; i < submitters; ++i) {
            shards->open(numbered(i), {});
            shards->wake(numbered(i));
        }
        const auto lanes = co_await shards->open_lanes();
        EXPECT_EQ(lanes.size(), submitters);
        EXPECT_EQ(std::this_thread::get_id(), here) << "the caller resumes on its own thread";
        shards->release(numbered(0));
        co_await shards->release_all(&clock_);
        EXPECT_EQ(std::this_thread::get_id(), here);
        EXPECT_TRUE((co_await shards->open_lanes()).empty());
    }

    // A worker that posts its answer may still be inside that call when the caller receives it.
    asio::io_context& context_that_outlives_the_workers() { return contexts_.emplace_back(); }

    static constexpr std::uint8_t submitters = 60;
    SystemClock clock_;
    std::list<asio::io_context> contexts_;
    std::array<Worker, 3> workers_;
};

TEST_F(LaneShardsOnThreads, SubmitterCallsRunOnShardThread) {
    const auto all = shards();
    auto& context = context_that_outlives_the_workers();
    auto ended = asio::co_spawn(context, drive(&all), asio::use_future);
    context.run();
    ended.get();
    std::size_t seen = 0;
    for (std::size_t shard = 0; shard < workers_.size(); ++shard) {
        auto& worker = workers_[shard];
        worker.stop();
        EXPECT_GT(worker.threads.size(), 10U) << "each shard has its share";
        for (const auto& [submitter, threads] : worker.threads) {
            EXPECT_EQ(lane::shard_of(submitter, workers_.size()), shard);
            EXPECT_THAT(threads, testing::ElementsAre(worker.id));
            ++seen;
        }
    }
    EXPECT_EQ(seen, submitters);
}

TEST_F(LaneShardsOnThreads, CancelledCallerIsHarmless) {
    const auto all = shards();
    for (int i = 0; i < 30; ++i) {
        auto& context = context_that_outlives_the_workers();
        TaskGroup group(context.get_executor());
        group.spawn(drive(&all));
        context.poll_one();
        context.poll_one();
        group.cancel();
        while (group.running() > 0)
            context.run_one_for(1ms);
        auto& second = context_that_outlives_the_workers();
        auto ended = asio::co_spawn(second, all.release_all(&clock_), asio::use_future);
        second.run();
        ended.get();
        // A late answer of a shard finds its caller's context, but no task in it.
        context.restart();
        context.poll();
    }
}

}  // namespace
}  // namespace fencepost::contract
