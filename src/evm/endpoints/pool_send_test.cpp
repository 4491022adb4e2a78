// Sends: to all endpoints; never an exception.
#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolSends : public Pool {
protected:
    Task<void> to_all() {
        EXPECT_EQ((co_await send_one()).answers.size(), 3U);
        co_await clock_.sleep_for(1s);
        for (auto* node : nodes_)
            EXPECT_EQ(node->asked("eth_sendRawTransaction"), 1U);
    }
    Task<void> first_acceptance() {
        b_.hangs = c_.hangs = true;
        const auto report = co_await send_one();
        EXPECT_EQ(outcome_at(report, "a"), SendOutcome::accepted);
        EXPECT_EQ(outcome_at(report, "b"), SendOutcome::unknown);
        EXPECT_EQ(outcome_at(report, "c"), SendOutcome::unknown);
    }
    Task<void> refused_by_one() {
        a_.methods["eth_sendRawTransaction"] = [](const auto&) { return refusing(-32000, "intrinsic gas too low"); };
        b_.latency = 3s;
        c_.hangs = true;
        const auto report = co_await send_one();
        EXPECT_EQ(outcome_at(report, "a"), SendOutcome::intrinsic_gas);
        EXPECT_EQ(outcome_at(report, "b"), SendOutcome::accepted);
    }
    Task<void> other_hash() {
        for (auto* node : nodes_)
            node->methods["eth_sendRawTransaction"] = [](const auto&) -> Answer {
                return Json(to_hex_prefixed(TxHash{{9}}.view()));
            };
        for (const auto& answer : (co_await send_one()).answers)
            EXPECT_EQ(answer.outcome, SendOutcome::unknown);
    }
    Task<void> none_in_service() {
        for (auto* node : nodes_)
            node->broken = Failure{Kind::unreachable, "down", {}};
        for (int i = 0; i < 10; ++i) {
            const auto report = co_await send_one();
            EXPECT_EQ(report.answers.size(), 3U);
            for (const auto& answer : report.answers)
                EXPECT_EQ(answer.outcome, SendOutcome::unknown) << answer.endpoint;
        }
        for (auto* node : nodes_)
            node->broken.reset();
        const auto report = co_await send_one();
        EXPECT_TRUE(std::ranges::any_of(report.answers, [](const auto& a) { return is_held(a.outcome); }))
            << "no endpoint is in service, so all are tried";
    }
    Task<void> during_a_probe() {
        a_.broken = Failure{Kind::unreachable, "down", {}};
        while (pool().status().at(0).in_service)
            co_await read_one();
        co_await clock_.sleep_for(1s);
        a_.broken.reset();
        a_.latency = 1s;
        a_.inject_failure = [n = 0]() mutable -> std::optional<Failure> {
            return n++ > 0 ? std::nullopt : std::optional(Failure{Kind::unreachable, "still down", {}});
        };
        TaskGroup group(sim_.executor());
        group.spawn(read_alone());
        co_await clock_.sleep_for(100ms);
        EXPECT_FALSE(pool().status().at(0).in_service) << "the probe is in flight";
        const auto report = co_await send_one();
        EXPECT_EQ(outcome_at(report, "a"), SendOutcome::accepted) << "the probe failed, but it is the only one";
        co_await group.join();
    }
    Task<void> read_alone() { co_await read_one(); }
    Task<void> all_rate_limited() {
        for (auto* node : nodes_)
            node->broken = Failure{Kind::rate_limited, "429", 3s};
        EXPECT_FALSE((co_await read_one()).has_value());
        for (auto* node : nodes_)
            node->broken.reset();
        const auto report = co_await send_one();
        EXPECT_TRUE(std::ranges::any_of(report.answers, [](const auto& a) { return is_held(a.outcome); }));
    }
    Task<void> send_alone(std::vector<SendReport>* reports) { reports->push_back(co_await send_one()); }
    Task<void> failure04() {
        for (auto* node : nodes_)
            node->methods["eth_sendRawTransaction"] = [](const auto&) { return refusing(-32603, "nonce too low"); };
        for (int i = 0; i < 20; ++i) {
            const auto report = co_await send_one();
            for (const auto& name : {"a", "b", "c"})
                EXPECT_EQ(outcome_at(report, name), SendOutcome::nonce_too_low);
        }
        for (const auto& status : pool().status())
            EXPECT_TRUE(status.in_service) << status.name;
    }
    Task<void> failure28() {
        a_.methods["eth_sendRawTransaction"] = [](const auto&) { return refusing(3, "execution reverted"); };
        const auto report = co_await send_one();
        EXPECT_EQ(outcome_at(report, "a"), SendOutcome::rejected);
        EXPECT_EQ(outcome_at(report, "b"), SendOutcome::accepted) << "the report has both answers for the lane";
    }
};

TEST_F(PoolSends, GoToEveryEndpoint) { run(to_all()); }
TEST_F(PoolSends, ReturnOnFirstAcceptanceWithOthersUnknown) { EXPECT_LT(run(first_acceptance()), 1s); }
TEST_F(PoolSends, WaitAfterRefusalWhileAnotherMayAccept) { EXPECT_LT(run(refused_by_one()), 4s); }
TEST_F(PoolSends, AnswerWithOtherHashIsUnknown) { run(other_hash()); }
TEST_F(PoolSends, TryAndReportAllWhenNoneIsInService) { run(none_in_service()); }
TEST_F(PoolSends, SendDespiteFailingProbeAtOnlyEndpoint) {
    nodes_ = {&a_};
    run(during_a_probe());
}
TEST_F(PoolSends, WaitWhenAllEndpointsRateLimit) { run(all_rate_limited()); }
TEST_F(PoolSends, Failure04NonceTooLowInInternalErrorHarmsNoHealth) { run(failure04()); }
TEST_F(PoolSends, Failure28ReportsBothRefusalAndAcceptance) { run(failure28()); }

TEST_F(PoolSends, SendsNothingWithoutRun) {
    std::vector<SendReport> reports;
    world_.spawn(sim_, send_alone(&reports));
    world_.run_for(1min);
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].answers.size(), 3U);
    EXPECT_TRUE(a_.batches.empty());
}

}  // namespace
}  // namespace fencepost::evm
