// The whole simulated chain under load: repeatable, and fast enough for thousands of seeds.
#include "sim/chain/sim_network.hpp"

#include <gtest/gtest.h>

#include "sim/chain/test_scenario.hpp"

namespace fencepost::sim {
namespace {

using namespace test;
using namespace std::chrono_literals;

Task<void> keep_sending(Scenario* s, SubmitterId from, std::uint64_t count) {
    SimClock clock(s->node);
    for (std::uint64_t nonce = 0; nonce < count; ++nonce) {
        auto made = co_await s->signer.sign(unsigned_of(from, {.nonce = nonce}));
        auto batch = batch_of(from, {made->raw}, nonce);
        const auto reports = co_await s->chain.send(std::move(batch));
        s->world.note(std::to_string(reports.front().answers.size()));
        const auto known = co_await s->chain.receipts(std::vector{made->hash}, {});
        s->world.note(known.front() ? "answer" : "error");
        co_await clock.sleep_for(100ms);
    }
}

struct Outcome {
    std::uint64_t trace;
    BlockHash head;
    std::size_t executed;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run_with_faults(std::uint64_t seed) {
    Scenario s(seed);
    for (auto* endpoint : {&s.one, &s.two}) {
        endpoint->options().faults = {.sends_lost = 50,
                                      .sends_timed_out_after_arriving = 50,
                                      .sends_rate_limited = 50,
                                      .sends_duplicated = 50,
                                      .reads_timed_out = 20,
                                      .reads_rate_limited = 50,
                                      .reads_refused = 20,
                                      .unreachable = 50};
    }
    s.world.spawn(s.network.process(), s.network.mine_every(2s));
    s.world.spawn(s.node, keep_sending(&s, s.alice, 100));
    s.world.spawn(s.node, keep_sending(&s, s.bob, 100));
    s.world.run_for(30s);
    s.network.reorg({.depth = 2});
    s.world.run_for(3min);
    return {s.world.trace_hash(), s.network.ledger().head().hash(), s.network.ledger().executed().size()};
}

TEST(SimNetworkRuns, TheSameSeedGivesTheSameRun) {
    const auto first = run_with_faults(7);
    EXPECT_EQ(first, run_with_faults(7));
    EXPECT_NE(first, run_with_faults(8));
    EXPECT_GT(first.executed, 20U) << "faults delay transactions but do not stop them";
}

TEST(SimNetworkRuns, ExecutesNoNonceTwiceHoweverOftenItIsSent) {
    Scenario s(3);
    s.world.spawn(s.network.process(), s.network.mine_every(1s));
    s.world.spawn(s.node, keep_sending(&s, s.alice, 500));
    s.world.run_for(5min);
    const auto executed = s.network.ledger().executed();
    ASSERT_EQ(executed.size(), 500U);
    for (std::size_t i = 0; i < executed.size(); ++i)
        ASSERT_EQ(executed[i].transaction->nonce, Nonce(i));
}

Task<void> follow_heads(std::shared_ptr<HeadStream> stream, std::uint64_t* heard) {
    for (;;) {
        co_await stream->next();
        ++*heard;
    }
}

TEST(SimNetworkRuns, ContinuesWhenANodeIsKilledAtAnyMoment) {
    for (std::uint64_t moment = 0; moment < 150; ++moment) {
        std::uint64_t heard = 0;  // outlives the world, whose end destroys frames
        Scenario s(moment);
        s.two.lag_time(700ms);
        s.two.options().faults = {.sends_timed_out_after_arriving = 200, .reads_timed_out = 200};
        s.world.spawn(s.network.process(), s.network.mine_every(300ms));
        s.world.spawn(s.node, keep_sending(&s, s.alice, 20));
        s.world.spawn(s.node, follow_heads(s.chain.heads(), &heard));
        s.world.run_for(Duration(moment * 3'700us));
        s.world.kill(s.node);
        const auto heard_alive = heard;
        const auto height = s.network.ledger().head().number();
        s.world.run_for(2s);
        EXPECT_EQ(heard, heard_alive);
        EXPECT_GT(s.network.ledger().head().number(), height);
    }
}

}  // namespace
}  // namespace fencepost::sim
