// Sends in order: one queue per endpoint and account.
#include "evm/endpoints/send_queue.hpp"

#include <numeric>

#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;
using enum SendOutcome;

std::vector<std::size_t> sizes_of(const std::vector<std::vector<std::string>>& batches) {
    std::vector<std::size_t> sizes;
    for (const auto& batch : batches)
        sizes.push_back(batch.size());
    return sizes;
}

std::vector<std::uint64_t> nonces_of(const std::vector<std::vector<std::string>>& batches) {
    std::vector<std::uint64_t> nonces;
    for (const auto& batch : batches)
        for (const auto& raw_hex : batch)
            nonces.push_back(nonce_in(raw_hex));
    return nonces;
}

std::vector<std::uint64_t> from_zero(std::size_t count) {
    std::vector<std::uint64_t> nonces(count);
    std::iota(nonces.begin(), nonces.end(), 0);
    return nonces;
}

std::size_t count_of(const std::vector<SendReport>& reports, SendOutcome outcome) {
    std::size_t n = 0;
    for (const auto& report : reports)
        n += static_cast<std::size_t>(std::ranges::count(report.answers, outcome, &SendReport::Answer::outcome));
    return n;
}

class PoolSendQueue : public Pool {
protected:
    PoolSendQueue() { nodes_ = {&a_}; }

    Task<void> send(SendBatch batch, std::vector<SendReport>* reports) {
        *reports = co_await pool().send(std::move(batch));
    }
    // Refuses any transaction with this nonce.
    static void refuse(Node& node, std::uint64_t nonce, std::string why) {
        node.methods["eth_sendRawTransaction"] = [nonce, why = std::move(why)](const auto& params) -> Answer {
            if (nonce_in(std::string_view(params.at(0).as_string())) == nonce) return refusing(-32000, why);
            return taking(params);
        };
    }

    Task<void> in_pieces() {
        std::vector<SendReport> first;
        std::vector<SendReport> second;
        TaskGroup group(sim_.executor());
        group.spawn(send(batch_of(0, 0, 200), &first));
        group.spawn(send(batch_of(0, 200, 40), &second));
        co_await group.join();
        EXPECT_EQ(count_of(first, accepted), 200U);
        EXPECT_EQ(count_of(second, accepted), 40U);
        EXPECT_EQ(nonces_of(a_.sends), from_zero(240));
        EXPECT_EQ(sizes_of(a_.sends), (std::vector<std::size_t>{64, 64, 64, 48}));
        EXPECT_EQ(a_.max_sends_in_flight, 1U);
    }
    Task<void> in_small_batches() {
        a_.max_batch = 10;
        const auto reports = co_await pool().send(batch_of(0, 0, 25));
        EXPECT_EQ(count_of(reports, accepted), 25U);
        EXPECT_EQ(sizes_of(a_.sends), (std::vector<std::size_t>{10, 10, 5}));
    }
    Task<void> large_ones() {
        SendBatch batch{.from = sender(), .items = {}};
        for (std::uint8_t i = 0; i < 10; ++i)
            batch.items.push_back({Nonce(i), Bytes(200'000, i)});
        EXPECT_EQ(count_of(co_await pool().send(std::move(batch)), accepted), 10U);
        EXPECT_EQ(sizes_of(a_.sends), (std::vector<std::size_t>{2, 2, 2, 2, 2}));
    }
    Task<void> accounts_do_not_wait_for_each_other() {
        a_.latency = 1s;
        std::vector<SendReport> one;
        std::vector<SendReport> other;
        TaskGroup group(sim_.executor());
        group.spawn(send(batch_of(1, 0, 1), &one));
        group.spawn(send(batch_of(2, 0, 1), &other));
        co_await group.join();
        EXPECT_EQ(a_.max_sends_in_flight, 2U);
    }

    Task<void> refused_in_the_middle() {
        refuse(a_, 70, "txpool is full");
        std::vector<SendReport> first;
        std::vector<SendReport> lower;
        TaskGroup group(sim_.executor());
        group.spawn(send(batch_of(0, 0, 200), &first));
        co_await clock_.sleep_for(1ms);
        group.spawn(send(batch_of(0, 5, 1), &lower));
        co_await group.join();
        EXPECT_EQ(outcome_at(first.at(70), "a"), pool_full);
        EXPECT_EQ(outcome_at(first.at(71), "a"), accepted) << "it was in the same batch: the endpoint's answer counts";
        for (std::size_t i = 128; i < 200; ++i)
            EXPECT_EQ(outcome_at(first.at(i), "a"), not_sent) << i;
        EXPECT_EQ(outcome_at(lower.at(0), "a"), accepted) << "its nonce is lower";
        EXPECT_EQ(sizes_of(a_.sends), (std::vector<std::size_t>{64, 64, 1}));
        const auto later = co_await pool().send(batch_of(0, 71, 1));
        EXPECT_EQ(outcome_at(later.at(0), "a"), accepted) << "it was submitted after the refusal was known";
    }
    Task<void> refused_without_a_hole() {
        refuse(a_, 70, "replacement transaction underpriced");
        EXPECT_EQ(count_of(co_await pool().send(batch_of(0, 0, 200)), accepted), 199U);
        refuse(a_, 3, "nonce too low");
        EXPECT_EQ(count_of(co_await pool().send(batch_of(0, 0, 200)), accepted), 199U);
    }
    Task<void> silent() {
        a_.inject_failure = [n = 0]() mutable -> std::optional<Failure> {
            return ++n == 2 ? std::optional(Failure{Kind::timed_out, "no_answer", {}}) : std::nullopt;
        };
        const auto reports = co_await pool().send(batch_of(0, 0, 200));
        EXPECT_EQ(count_of(reports, accepted), 64U);
        EXPECT_EQ(count_of(reports, unknown), 64U);
        EXPECT_EQ(count_of(reports, not_sent), 72U);
    }
    Task<void> each_endpoint_by_itself() {
        refuse(a_, 0, "txpool is full");
        const auto reports = co_await pool().send(batch_of(0, 0, 100));
        EXPECT_EQ(outcome_at(reports.at(99), "a"), not_sent);
        EXPECT_EQ(outcome_at(reports.at(99), "b"), accepted);
    }
    Task<void> one_lags() {
        b_.latency = 2s;
        EXPECT_EQ(count_of(co_await pool().send(batch_of(0, 0, 64)), accepted), 64U);
        EXPECT_EQ(count_of(co_await pool().send(batch_of(0, 64, 64)), accepted), 64U);
        EXPECT_EQ(nonces_of(a_.sends), from_zero(128));
        co_await clock_.sleep_for(10s);
        EXPECT_EQ(nonces_of(b_.sends), from_zero(128)) << "it got the rest after send() had returned";
        EXPECT_EQ(b_.max_sends_in_flight, 1U);
    }

    Task<void> permission() {
        std::vector<std::uint64_t> asked;
        Instant asked_at{};
        auto batch = batch_of(0, 0, 66);
        batch.may_still_send = [&](Nonce nonce, const TxHash& hash) {
            EXPECT_EQ(hash, TxHash{keccak256(raw_of(0, static_cast<std::uint16_t>(nonce.value())))});
            asked.push_back(nonce.value());
            asked_at = clock_.monotonic();
            return nonce != Nonce(64);
        };
        const auto begun = clock_.monotonic();
        const auto reports = co_await pool().send(std::move(batch));
        EXPECT_EQ(asked, from_zero(66)) << "once each";
        EXPECT_EQ(asked_at, begun + a_.latency) << "when the second batch left, and not before";
        EXPECT_EQ(outcome_at(reports.at(64), "a"), not_sent);
        EXPECT_EQ(outcome_at(reports.at(65), "a"), accepted);
        EXPECT_EQ(count_of(reports, accepted), 65U);
        const auto left = nonces_of(a_.sends);
        EXPECT_EQ(std::ranges::count(left, 64U), 0);
    }
    Task<void> permission_after_the_wait_for_a_slot() {
        bool may_still_send = true;
        a_.latency = 1s;
        TaskGroup group(sim_.executor());
        group.spawn(read_alone());
        co_await clock_.sleep_for(100ms);
        auto batch = batch_of(0, 0, 1);
        batch.may_still_send = [&](Nonce, const TxHash&) { return may_still_send; };
        std::vector<SendReport> reports;
        group.spawn(send(std::move(batch), &reports));
        co_await clock_.sleep_for(100ms);
        may_still_send = false;
        co_await group.join();
        EXPECT_EQ(outcome_at(reports.at(0), "a"), not_sent);
        EXPECT_TRUE(a_.sends.empty());
    }
    Task<void> read_alone() { EXPECT_TRUE((co_await read_one()).has_value()); }

    Task<void> to_one_alone() {
        auto batch = batch_of(0, 0, 3);
        batch.only = "b";
        const auto reports = co_await pool().send(std::move(batch));
        for (const auto& report : reports) {
            EXPECT_EQ(report.answers.size(), 1U);
            EXPECT_EQ(outcome_at(report, "b"), accepted);
        }
        co_await clock_.sleep_for(1s);
        EXPECT_TRUE(a_.sends.empty());
        auto nowhere = batch_of(0, 0, 3);
        nowhere.only = "z";
        EXPECT_EQ(count_of(co_await pool().send(std::move(nowhere)), not_sent), 3U);
    }
};

TEST_F(PoolSendQueue, SendsOneBatchAtATimeInSubmissionOrder) { run(in_pieces()); }
TEST_F(PoolSendQueue, RespectsEndpointBatchLimit) { run(in_small_batches()); }
TEST_F(PoolSendQueue, LimitsBatchBytes) { run(large_ones()); }
TEST_F(PoolSendQueue, AccountsAreIndependent) { run(accounts_do_not_wait_for_each_other()); }
TEST_F(PoolSendQueue, RefusalCancelsHigherNonces) { run(refused_in_the_middle()); }
TEST_F(PoolSendQueue, RefusalWithoutGapCancelsNothing) { run(refused_without_a_hole()); }
TEST_F(PoolSendQueue, TimeoutCancelsHigherNonces) { run(silent()); }
TEST_F(PoolSendQueue, RefusalAffectsOnlyItsEndpoint) {
    nodes_ = {&a_, &b_};
    run(each_endpoint_by_itself());
}
TEST_F(PoolSendQueue, SlowEndpointContinuesAfterSendReturned) {
    nodes_ = {&a_, &b_};
    run(one_lags());
}
TEST_F(PoolSendQueue, ChecksPermissionWhenSending) { run(permission()); }
TEST_F(PoolSendQueue, ChecksPermissionAfterWaitingForPermit) {
    options_.endpoint.in_flight.most = 1;
    run(permission_after_the_wait_for_a_slot());
}
TEST_F(PoolSendQueue, SendsOnlyToNamedEndpoint) {
    nodes_ = {&a_, &b_};
    run(to_one_alone());
}

}  // namespace
}  // namespace fencepost::evm
