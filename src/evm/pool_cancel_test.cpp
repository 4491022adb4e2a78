// Cancelled in the very moment a wait ends: what was spawned is still joined, for the group would abort otherwise.
#include <boost/asio/post.hpp>

#include "evm/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolCancelled : public Pool {
protected:
    // So many turns of the executor after its start. A watch that never pauses is at every step of its round by turns.
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
    // So many turns of the executor lie between the last answer of the first round and the cancellation.
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

    int reads_ended_ = 0;
};

TEST_F(PoolCancelled, AsTheWatchBeginsItsNextRound) {
    options_.head_interval = {};
    bool ended = false;
    world_.spawn(sim_, watch_at_every_turn(&ended));
    world_.run_for(1min);
    EXPECT_TRUE(ended);
}

TEST_F(PoolCancelled, BetweenTheTwoRoundsOfAnAgreedRead) { run(at_every_turn()); }

}  // namespace
}  // namespace fencepost::evm
