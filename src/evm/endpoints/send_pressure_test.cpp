// Many concurrent sends: time in our queues is not the endpoint's time and never delays reads (failure 78). And
// endpoints that answer a send only once it is in a block.
#include <numeric>

#include "evm/endpoints/send_queue.hpp"
#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;
using enum SendOutcome;

class SendPressure : public Pool {
protected:
    SendPressure() { nodes_ = {&a_}; }

    Task<void> send_some(std::uint16_t from, std::uint16_t count, std::size_t* accepted_ones) {
        for (const auto& report : co_await pool().send(batch_of(from, 0, count)))
            if (outcome_at(report, "a") == accepted) ++*accepted_ones;
    }
    Task<void> many_accounts() {
        std::size_t accepted_ones = 0;
        std::size_t reads = 0;
        TaskGroup group(sim_.executor());
        for (std::uint16_t from = 0; from < 2'000; ++from)
            group.spawn(send_some(from, 1, &accepted_ones));
        co_await clock_.sleep_for(100ms);
        const auto all_but_some = [&accepted_ones] { return accepted_ones >= 1'900; };
        for (; !all_but_some(); ++reads) {
            const auto begun = clock_.monotonic();
            EXPECT_TRUE((co_await read_one()).has_value());
            EXPECT_EQ(clock_.monotonic() - begun, a_.latency) << "reads do not wait for sends";
            EXPECT_TRUE(pool().status().at(0).in_service);
        }
        co_await group.join();
        EXPECT_EQ(accepted_ones, 2'000U) << "although the last waited longer than one call may take";
        EXPECT_GE(reads, 30U);
        EXPECT_EQ(a_.max_sends_in_flight, 50U);
    }
    Task<void> read_alone() { EXPECT_TRUE((co_await read_one()).has_value()); }
    Task<void> slot_at_last() {
        a_.latency = 6s;
        TaskGroup group(sim_.executor());
        group.spawn(read_alone());
        co_await clock_.sleep_for(1ms);
        group.spawn(read_alone());
        co_await group.join();
    }
    Task<void> try_to_read(std::size_t* answered) {
        const auto answer = co_await read_one();
        if (answer) ++*answered;
        if (!answer) EXPECT_EQ(failure_of(answer).kind, Kind::overloaded);
    }
    Task<void> without_a_slot() {
        a_.latency = 4900ms;
        std::size_t answered = 0;
        TaskGroup group(sim_.executor());
        for (int i = 0; i < 8; ++i)
            group.spawn(try_to_read(&answered));
        co_await group.join();
        EXPECT_EQ(answered, 2U);
        EXPECT_TRUE(pool().status().at(0).in_service) << "calls without a permit are no evidence about it";
    }

    // One after another, one block each, as Arbitrum's sequencer does.
    void block_until_mined(Node& node) { node.per_send = 250ms; }
    Task<void> sequencer() {
        block_until_mined(a_);
        std::size_t accepted_ones = 0;
        for (int i = 0; i < 2; ++i)
            co_await send_some(1, 8, &accepted_ones);
        EXPECT_EQ(a_.sends.size(), 2U) << "two batches are enough to detect it";
        a_.sends.clear();
        a_.max_sends_in_flight = 0;
        const auto begun = clock_.monotonic();
        co_await send_some(1, 100, &accepted_ones);
        EXPECT_EQ(accepted_ones, 116U);
        EXPECT_LT(clock_.monotonic() - begun, 2s) << "not one block each";
        EXPECT_EQ(a_.max_sends_in_flight, 16U);
        std::vector<std::uint64_t> nonces;
        for (const auto& batch : a_.sends) {
            EXPECT_EQ(batch.size(), 1U);
            nonces.push_back(nonce_in(batch.front()));
        }
        std::vector<std::uint64_t> in_order(100);
        std::iota(in_order.begin(), in_order.end(), 0);
        EXPECT_EQ(nonces, in_order) << "started in order";
        EXPECT_TRUE(pool().status().at(0).in_service);
        EXPECT_THAT(log_.lines.back().second, HasSubstr("Sends block at endpoint endpoint=a ms_per_transaction=250"));
    }
    Task<void> sequencer_with_large_batches() {
        block_until_mined(a_);
        std::size_t accepted_ones = 0;
        for (int i = 0; i < 2; ++i)
            co_await send_some(1, 64, &accepted_ones);
        EXPECT_EQ(accepted_ones, 0U) << "64 do not finish in time";
        EXPECT_TRUE((co_await read_one()).has_value());
        co_await send_some(1, 64, &accepted_ones);
        EXPECT_EQ(accepted_ones, 64U);
    }
    Task<void> sequencer_refuses() {
        block_until_mined(a_);
        std::size_t accepted_ones = 0;
        for (int i = 0; i < 2; ++i)
            co_await send_some(1, 8, &accepted_ones);
        a_.methods["eth_sendRawTransaction"] = [](const auto& params) -> Answer {
            if (nonce_in(std::string_view(params.at(0).as_string())) == 3) return refusing(-32000, "nonce too high");
            return taking(params);
        };
        accepted_ones = 0;
        a_.sends.clear();
        const auto reports = co_await pool().send(batch_of(1, 0, 100));
        EXPECT_LE(a_.sends.size(), 20U) << "only sends in flight, none above the gap";
        EXPECT_EQ(outcome_at(reports.at(99), "a"), not_sent);
    }
    Task<void> queues_are_dropped() {
        std::size_t accepted_ones = 0;
        for (std::uint16_t from = 0; from < 100; ++from)
            co_await send_some(from, 2, &accepted_ones);
        co_await clock_.sleep_for(1ms);
        EXPECT_EQ(pool().accounts_with_sends(), 0U);
        TaskGroup group(sim_.executor());
        group.spawn(send_some(1, 2, &accepted_ones));
        co_await clock_.sleep_for(1ms);
        EXPECT_EQ(pool().accounts_with_sends(), 1U);
        co_await group.join();
        EXPECT_EQ(accepted_ones, 202U);
    }
};

TEST_F(SendPressure, Failure78SendsOfManyAccountsDelayNoReads) {
    a_.latency = 500ms;
    EXPECT_GT(run(many_accounts()), 10s);
}
TEST_F(SendPressure, Failure78TimeLimitStartsWithThePermit) {
    options_.endpoint.in_flight.most = 1;
    options_.head_interval = 1h;
    EXPECT_EQ(run(slot_at_last()), 12s) << "longer than one call may take";
}
TEST_F(SendPressure, Failure78CallsWithoutPermitDoNotHarmHealth) {
    options_.endpoint.in_flight.most = 1;
    options_.head_interval = 1h;
    options_.time_limit = 5s;
    run(without_a_slot());
}
TEST_F(SendPressure, BlockingSendsRunConcurrentlyInOrder) { run(sequencer()); }
TEST_F(SendPressure, TimedOutLargeBatchesRevealBlockingSends) { run(sequencer_with_large_batches()); }
TEST_F(SendPressure, RefusalCancelsHigherNoncesOfBlockingSends) { run(sequencer_refuses()); }
TEST_F(SendPressure, DropsEmptyQueues) { run(queues_are_dropped()); }

TEST(SendPace, TwoSlowBatchesWithFastReadsMeanBlocking) {
    SendPace pace;
    EXPECT_FALSE(pace.took(8s, 64, 10ms));
    EXPECT_FALSE(pace.took(1s, 64, 10ms)) << "quick again";
    EXPECT_FALSE(pace.took(8s, 64, 10ms));
    EXPECT_TRUE(pace.took(8s, 64, 10ms));
    EXPECT_TRUE(pace.is_blocking());
}

TEST(SendPace, SlowEndpointOrSingleSendIsNoEvidence) {
    SendPace pace;
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(pace.took(8s, 64, 200ms)) << "reads are slow as well";
        EXPECT_FALSE(pace.took(8s, 64, {})) << "no read has measured it yet";
        EXPECT_FALSE(pace.took(1s, 1, 10ms));
    }
}

TEST(SendPace, NetworkLatencyIsNotSendTime) {
    SendPace pace;
    for (int i = 0; i < 10; ++i)
        EXPECT_FALSE(pace.took(290ms, 2, 95ms));
}

TEST(SendPace, ManyFastSendsEndBlocking) {
    SendPace pace;
    pace.took(8s, 64, 10ms);
    pace.took(8s, 64, 10ms);
    for (int i = 0; i < 63; ++i)
        EXPECT_FALSE(pace.took(50ms, 1, 10ms));
    EXPECT_TRUE(pace.took(50ms, 1, 10ms));
    EXPECT_FALSE(pace.is_blocking());
}

}  // namespace
}  // namespace fencepost::evm
