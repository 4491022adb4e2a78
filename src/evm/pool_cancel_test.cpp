// Cancelled in the very moment a wait ends: what was spawned is still joined, for the group would abort otherwise.
#include <boost/asio/post.hpp>

#include "evm/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolCancelled : public Pool {
protected:
    // The sleep that is set first ends first: the watch is cancelled when its own sleep is over but it has not gone on.
    Task<void> watch_as_its_sleep_ends(bool* ended) {
        TaskGroup group(sim_.executor());
        const auto round = 2 * a_.latency;  // whose chain it is, and how high
        const auto end = clock_.monotonic() + round + options_.head_interval;
        group.spawn(cancel_at(end, &group));
        group.spawn(pool().run());
        co_await group.join();
        *ended = true;
    }
    Task<void> cancel_at(Instant at, TaskGroup* group) {
        co_await clock_.sleep_until(at);
        group->cancel();
    }

    Task<void> agreed_read() {
        Evidence evidence{.agreeing = 2};
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
    nodes_ = {&a_};
    bool ended = false;
    world_.spawn(sim_, watch_as_its_sleep_ends(&ended));
    world_.run_for(1min);
    EXPECT_TRUE(ended);
    EXPECT_EQ(a_.batches.size(), 2U) << "the second round did not begin";
}

TEST_F(PoolCancelled, BetweenTheTwoRoundsOfAnAgreedRead) { run(at_every_turn()); }

}  // namespace
}  // namespace fencepost::evm
