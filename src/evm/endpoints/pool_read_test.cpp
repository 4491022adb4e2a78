// Reads: from the best endpoint, with failover to the next.
#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolReads : public Pool {
protected:
    Task<void> fastest() {
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U);
        EXPECT_EQ(b_.asked("eth_gasPrice") + c_.asked("eth_gasPrice"), 0U);
    }
    Task<void> falls_over() {
        for (const auto& [kind, name] : enum_names<Kind>) {
            if (kind == Kind::no_evidence) continue;
            a_.inject_failure = [failure = Failure{kind, "", 1s}]() -> std::optional<Failure> { return failure; };
            EXPECT_TRUE((co_await read_one()).has_value()) << name;
            co_await clock_.sleep_for(2s);
        }
    }
    Task<void> hang_leaves_time() {
        a_.hangs = true;
        EXPECT_TRUE((co_await read_one()).has_value());
    }
    Task<void> all_hang() {
        a_.hangs = b_.hangs = c_.hangs = true;
        EXPECT_EQ(failure_of(co_await read_one()).kind, Kind::timed_out);
    }
    Task<void> lagging_is_last() {
        a_.head = 90;
        co_await clock_.sleep_for(10s);
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 0U);
        b_.broken = c_.broken = Failure{Kind::unreachable, "down", {}};
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U) << "a lagging endpoint is better than none";
    }
    Task<void> rate_limit_in_words() {
        a_.methods["eth_gasPrice"] = [](const auto&) { return refusing(-32005, "limit exceeded"); };
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U) << "it is not called during the back-off";
    }
    Task<void> unsupported_method() {
        a_.methods.erase("eth_gasPrice");
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_TRUE((co_await read_one()).has_value());
        EXPECT_EQ(a_.asked("eth_gasPrice"), 1U) << "remembered";
        EXPECT_TRUE(pool().offers("eth_gasPrice"));
        b_.methods.erase("eth_gasPrice");
        c_.methods.erase("eth_gasPrice");
        const auto answer = co_await read_one();
        EXPECT_EQ(std::get<ErrorAnswer>(answer.error()).code, -32601);
        EXPECT_FALSE(pool().offers("eth_gasPrice"));
        EXPECT_TRUE(pool().status().at(0).in_service) << "it does not count as a failure";
    }
    Task<void> application_error_is_an_answer() {
        for (auto* node : nodes_)
            node->methods["eth_gasPrice"] = [](const auto&) { return refusing(3, "execution reverted"); };
        for (int i = 0; i < 10; ++i) {
            const auto answer = co_await read_one();
            EXPECT_EQ(std::get<ErrorAnswer>(answer.error()).code, 3);
        }
        EXPECT_EQ(a_.asked("eth_gasPrice"), 10U) << "no other endpoint is asked";
        EXPECT_EQ(b_.asked("eth_gasPrice"), 0U);
    }
    Task<void> general_error(ErrorAnswer error) {
        EXPECT_TRUE((co_await read_one()).has_value());
        a_.answers_all = error;
        for (int i = 0; i < 30; ++i) {
            EXPECT_TRUE((co_await read_one()).has_value()) << "another endpoint answers";
            co_await clock_.sleep_for(1s);
        }
        EXPECT_FALSE(pool().status().at(0).in_service) << "it does not even return its block number";
        a_.answers_all.reset();
        co_await clock_.sleep_for(1min);
        EXPECT_TRUE(pool().status().at(0).in_service);
    }
    Task<void> general_error_to_one_method() {
        for (auto* node : nodes_)
            node->methods["eth_gasPrice"] = [](const auto&) { return refusing(-32000, "never heard of before"); };
        for (int i = 0; i < 10; ++i) {
            const auto answer = co_await read_one();
            EXPECT_EQ(std::get<ErrorAnswer>(answer.error()).message, "never heard of before");
        }
        for (const auto& status : pool().status())
            EXPECT_TRUE(status.in_service) << status.name;
    }
    Task<void> whole_batch_from_one() {
        int n = 0;
        a_.methods["eth_gasPrice"] = [&n](const auto&) -> Answer {
            return ++n == 3 ? failing(Kind::malformed) : Answer(Json("from a"));
        };
        b_.methods["eth_gasPrice"] = [](const auto&) -> Answer { return Json("from b"); };
        for (const auto& answer : co_await read(questions(5)))
            EXPECT_EQ(*answer, "from b");
    }
    Task<void> none_in_service() {
        for (auto* node : nodes_)
            node->broken = Failure{Kind::unreachable, "down", {}};
        for (int i = 0; i < 3; ++i)
            EXPECT_FALSE((co_await read_one()).has_value());
        const auto failure = failure_of(co_await read_one());
        EXPECT_THAT(failure.what, HasSubstr("a: is out of service; b: is out of service"));
        for (auto* node : nodes_)
            node->broken.reset();
        co_await clock_.sleep_for(30s);
        EXPECT_TRUE((co_await read_one()).has_value()) << "the probes find them back";
    }
    Task<void> all() {
        b_.hangs = true;
        const auto everybody = co_await pool().read_all(questions());
        EXPECT_EQ(everybody.size(), 2U);
    }
};

TEST_F(PoolReads, GoToTheFastest) { run(fastest()); }
TEST_F(PoolReads, FailOverOnAnyFailure) { run(falls_over()); }
TEST_F(PoolReads, HangingEndpointLeavesTimeForOthers) { EXPECT_LT(run(hang_leaves_time()), 10s); }
TEST_F(PoolReads, EndWithinTheTimeLimit) { EXPECT_LE(run(all_hang()), 10s); }
TEST_F(PoolReads, UseLaggingEndpointLast) { run(lagging_is_last()); }
TEST_F(PoolReads, BackOffOnRateLimitMessage) { run(rate_limit_in_words()); }
TEST_F(PoolReads, RetryUnsupportedMethodElsewhere) { run(unsupported_method()); }
TEST_F(PoolReads, ApplicationErrorIsAnAnswer) { run(application_error_is_an_answer()); }
TEST_F(PoolReads, QuarantineNodeThatAnswersOnlyInternalErrors) { run(general_error({-32603, "Internal error", {}})); }
TEST_F(PoolReads, QuarantineTemporarilyUnavailableNode) {
    run(general_error({-32000, "service temporarily unavailable", {}}));
}
TEST_F(PoolReads, Failure04UnknownErrorFromAllIsTheAnswerAndHarmsNoHealth) { run(general_error_to_one_method()); }
TEST_F(PoolReads, OneEndpointAnswersWholeBatch) { run(whole_batch_from_one()); }
TEST_F(PoolReads, ErrorNamesEndpointsWhenNoneIsInService) { run(none_in_service()); }
TEST_F(PoolReads, ReadAllReturnsEveryAnswer) { run(all()); }

TEST_F(Pool, CountsAndTimesEveryCall) {
    b_.broken = Failure{Kind::http_error, "500", {}};
    run(clock_.sleep_for(1s));
    std::uint64_t calls = 0;
    for (const auto& [counter, times] : telemetry_.counts)
        if (counter.first == Counter::rpc_call) calls += times;
    EXPECT_EQ(telemetry_.observed[Latency::rpc_call], calls);
    EXPECT_GT((telemetry_.counts[{Counter::rpc_call, "answered"}]), 0U);
    EXPECT_GT((telemetry_.counts[{Counter::rpc_call, "http_error"}]), 0U);
}

}  // namespace
}  // namespace fencepost::evm
