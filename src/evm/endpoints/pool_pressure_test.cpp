// Many concurrent calls, and providers with rate limits.
#include "evm/endpoints/test_pool.hpp"

namespace fencepost::evm {
namespace {

using namespace test;

class PoolUnderPressure : public Pool {
protected:
    // A provider that serves this many requests per second.
    void limit(Node& node, std::size_t per_second) {
        node.inject_failure = [this, per_second, second = Instant{},
                               n = std::size_t{0}]() mutable -> std::optional<Failure> {
            if (clock_.monotonic() - second >= 1s) {
                second = clock_.monotonic();
                n = 0;
            }
            if (++n <= per_second) return std::nullopt;
            return Failure{Kind::rate_limited, "429", second + 1s - clock_.monotonic()};
        };
    }
    Task<void> one_of_many(std::size_t* succeeded) {
        if ((co_await read_one()).has_value()) ++*succeeded;
    }
    Task<void> hundred_at_once() {
        std::size_t succeeded = 0;
        TaskGroup group(sim_.executor());
        for (int i = 0; i < 100; ++i)
            group.spawn(one_of_many(&succeeded));
        co_await group.join();
        EXPECT_EQ(succeeded, 100U);
    }
    Task<void> bounded() {
        std::size_t succeeded = 0;
        TaskGroup group(sim_.executor());
        for (int i = 0; i < 500; ++i)
            group.spawn(one_of_many(&succeeded));
        co_await group.join();
        EXPECT_EQ(succeeded, 500U);
    }
};

TEST_F(PoolUnderPressure, Failure16HundredParallelReadsSucceedDespiteRateLimit) {
    nodes_ = {&a_};
    limit(a_, 20);
    EXPECT_LE(run(hundred_at_once()), 10s);
}

TEST_F(PoolUnderPressure, Failure16SparesRateLimitedEndpointWhileAnotherServes) {
    nodes_ = {&a_, &b_};
    limit(a_, 20);
    EXPECT_LE(run(hundred_at_once()), 1s);
}

TEST_F(PoolUnderPressure, RespectsInFlightLimit) {
    nodes_ = {&a_};
    a_.latency = 100ms;
    EXPECT_EQ(run(bounded()), 500ms) << "five rounds of a hundred";
}

}  // namespace
}  // namespace fencepost::evm
