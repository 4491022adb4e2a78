// Cancellation at the exact moment a wait ends: spawned tasks must still be joined, or the task group would abort.
#include <boost/asio/post.hpp>

#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolCancelled : public Pool {
protected:
    // Counted in executor turns after the start. A watch that never pauses reaches every step of its round this way.
    Task<void> watch_after(int turns) {
        TaskGroup group(sim_.executor());
        group.spawn(pool().run());
        for (int i = 0; i < turns; ++i)
            co_await asio::post(asio::use_awaitable);
        group.cancel();
        co_await group.join();
    }
    Task<void> watch_at_every_turn(bool* ended) {
        for (int turns = 0; turns < 40; ++turns)
            co_await watch_after(turns);
        *ended = true;
    }

    Task<void> agreed_read() {
        const Evidence evidence{.agreeing = 2};
        co_await pool().read(questions(), evidence);
        ++reads_ended_;
    }
    // Executor turns between the last answer of the first round and the cancellation.
    Task<void> as_the_first_round_ends(int turns) {
        TaskGroup group(sim_.executor());
        const auto end = clock_.monotonic() + b_.latency;
        group.spawn(agreed_read());
        co_await clock_.sleep_for(1ms);
        co_await clock_.sleep_until(end);
        for (int i = 0; i < turns; ++i)
            co_await asio::post(asio::use_awaitable);
        group.cancel();
        co_await group.join();
    }
    Task<void> at_every_turn() {
        a_.methods["eth_gasPrice"] = [](const auto&) -> Answer { return Json("0x2"); };
        for (int turns = 0; turns < 10; ++turns)
            co_await as_the_first_round_ends(turns);
        EXPECT_EQ(reads_ended_, 0);
    }

    Task<void> send_all(std::uint16_t from, std::vector<SendReport>* reports) {
        *reports = co_await pool().send(batch_of(from, 0, 150));
    }
    // Runs until every node is known to block on sends.
    Task<void> learn_that_sends_block() {
        TaskGroup running(sim_.executor());
        running.spawn(pool().run());
        co_await clock_.sleep_for(1s);
        for (int i = 0; i < 2; ++i) {
            co_await pool().send(batch_of(9, 0, 8));
            co_await clock_.sleep_for(5s);
        }
        EXPECT_EQ(log_.lines.size(), 1 + nodes_.size()) << "the genesis, and each node once";
        running.cancel();
        co_await running.join();
    }
    // Stops the pool a number of executor turns after some sends began; each send must complete.
    Task<void> stop_sending_after(int turns, Duration pause) {
        TaskGroup running(sim_.executor());
        running.spawn(pool().run());
        co_await clock_.sleep_for(1s);
        std::vector<std::vector<SendReport>> reports(3);
        TaskGroup senders(sim_.executor());
        for (std::uint16_t i = 0; i < 3; ++i)
            senders.spawn(send_all(i, &reports[i]));
        co_await clock_.sleep_for(pause);
        for (int i = 0; i < turns; ++i)
            co_await asio::post(asio::use_awaitable);
        const auto begun = clock_.monotonic();
        running.cancel();
        co_await running.join();
        co_await senders.join();
        EXPECT_EQ(clock_.monotonic(), begun) << "shutdown waits for nothing";
        EXPECT_EQ(pool().accounts_with_sends(), 0U);
        for (const auto& each : reports) {
            EXPECT_EQ(each.size(), 150U);
            for (const auto& report : each)
                EXPECT_EQ(report.answers.size(), nodes_.size());
        }
    }
    Task<void> stop_sending_at_every_turn(bool* ended) {
        if (a_.per_send > 0ms) co_await learn_that_sends_block();
        for (const auto pause : {0ms, 20ms, 40ms, 300ms})
            for (int turns = 0; turns < 40; ++turns)
                co_await stop_sending_after(turns, pause);
        *ended = true;
    }
    void stop_sending() {
        bool ended = false;
        pool();
        world_.spawn(sim_, stop_sending_at_every_turn(&ended));
        world_.run_for(1h);
        EXPECT_TRUE(ended);
    }

    int reads_ended_ = 0;
};

TEST_F(PoolCancelled, AtStartOfNextWatchRound) {
    options_.head_interval = {};
    bool ended = false;
    world_.spawn(sim_, watch_at_every_turn(&ended));
    world_.run_for(1min);
    EXPECT_TRUE(ended);
}

TEST_F(PoolCancelled, BetweenRoundsOfQuorumRead) { run(at_every_turn()); }

TEST_F(PoolCancelled, WhileSendsAreQueued) { stop_sending(); }
TEST_F(PoolCancelled, WhileSendsWaitForPermit) {
    options_.endpoint.in_flight.most = 2;
    stop_sending();
}
TEST_F(PoolCancelled, WhileBlockingSendsAreInFlight) {
    for (auto* node : nodes_)
        node->per_send = 150ms;
    stop_sending();
}

}  // namespace
}  // namespace fencepost::evm
