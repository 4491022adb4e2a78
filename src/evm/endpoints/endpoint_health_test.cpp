// Quarantine, probes, back-off and latency, in given times.
#include "evm/endpoints/endpoint_health.hpp"

#include <gtest/gtest.h>

namespace fencepost::evm {
namespace {

using namespace std::chrono_literals;
using jsonrpc::Failure;

class Health : public testing::Test {
protected:
    void fail(Failure::Kind kind, std::optional<Duration> retry_after = {}) {
        health_.began(now_);
        health_.failed(now_, {kind, "", retry_after});
    }
    void answer(Duration latency = 1ms) {
        health_.began(now_);
        health_.answered(latency);
    }

    Instant now_{1h};
    EndpointHealth health_{HealthOptions{}};
};

TEST_F(Health, IsInServiceInitially) { EXPECT_TRUE(health_.is_available(now_)); }

TEST_F(Health, QuarantinesAfterThreeConsecutiveFailuresOnly) {
    fail(Failure::Kind::timed_out);
    fail(Failure::Kind::unreachable);
    answer();
    fail(Failure::Kind::malformed);
    fail(Failure::Kind::http_error);
    EXPECT_TRUE(health_.is_available(now_));
    fail(Failure::Kind::timed_out);
    EXPECT_EQ(health_.service(now_), Service::quarantined);
    EXPECT_EQ(health_.available_at(now_), now_ + 1s);
}

TEST_F(Health, OwnFailuresDoNotCountAgainstEndpoint) {
    for (int i = 0; i < 10; ++i)
        fail(Failure::Kind::overloaded);
    EXPECT_TRUE(health_.is_available(now_));
    EXPECT_EQ(health_.failures_in_a_row(), 0U);
}

TEST_F(Health, SingleProbeDecidesAfterQuarantine) {
    for (int i = 0; i < 3; ++i)
        fail(Failure::Kind::unreachable);
    now_ += 1s;
    EXPECT_TRUE(health_.is_available(now_));
    health_.began(now_);
    EXPECT_EQ(health_.service(now_), Service::probing) << "a second call waits for the probe";
    health_.failed(now_, {Failure::Kind::timed_out, "", {}});
    EXPECT_EQ(health_.service(now_), Service::quarantined);
    EXPECT_EQ(health_.available_at(now_), now_ + 2s) << "twice as long as before";
    now_ += 2s;
    answer();
    EXPECT_TRUE(health_.is_available(now_));
    fail(Failure::Kind::unreachable);
    EXPECT_TRUE(health_.is_available(now_)) << "the failure count restarts";
}

TEST_F(Health, InconclusiveProbeAllowsAnotherProbe) {
    for (int i = 0; i < 3; ++i)
        fail(Failure::Kind::unreachable);
    now_ += 1s;
    health_.began(now_);
    health_.abandoned();
    EXPECT_TRUE(health_.is_available(now_));
}

TEST_F(Health, RateLimitedProbeSucceedsAndKeepsBackOff) {
    for (int i = 0; i < 3; ++i)
        fail(Failure::Kind::unreachable);
    now_ += 1s;
    health_.began(now_);
    health_.was_rate_limited(now_);
    EXPECT_EQ(health_.service(now_), Service::backing_off);
    now_ += 500ms;
    EXPECT_EQ(health_.service(now_), Service::in_service);
}

TEST_F(Health, QuarantineIsCapped) {
    for (int i = 0; i < 100; ++i) {
        fail(Failure::Kind::unreachable);
        now_ = health_.available_at(now_);
    }
    fail(Failure::Kind::unreachable);
    EXPECT_EQ(health_.available_at(now_), now_ + 60s);
}

TEST_F(Health, RespectsRetryAfter) {
    fail(Failure::Kind::rate_limited, 7s);
    EXPECT_EQ(health_.service(now_), Service::backing_off);
    EXPECT_EQ(health_.available_at(now_), now_ + 7s);
    now_ += 7s;
    EXPECT_TRUE(health_.is_available(now_));
    EXPECT_EQ(health_.failures_in_a_row(), 0U);
}

TEST_F(Health, CapsExcessiveRetryAfter) {
    fail(Failure::Kind::rate_limited, 24h * 365);
    EXPECT_EQ(health_.available_at(now_), now_ + 60s);
}

TEST_F(Health, BackOffDoublesUntilAnAnswer) {
    fail(Failure::Kind::rate_limited);
    EXPECT_EQ(health_.available_at(now_), now_ + 500ms);
    fail(Failure::Kind::rate_limited);
    EXPECT_EQ(health_.available_at(now_), now_ + 500ms) << "of concurrent calls only the first counts";
    now_ += 500ms;
    health_.was_rate_limited(now_);
    EXPECT_EQ(health_.available_at(now_), now_ + 1s);
    now_ += 1s;
    answer();
    fail(Failure::Kind::rate_limited);
    EXPECT_EQ(health_.available_at(now_), now_ + 500ms);
}

TEST_F(Health, LatencyFollowsRecentAnswers) {
    EXPECT_EQ(health_.latency(), std::nullopt);
    answer(80ms);
    EXPECT_EQ(health_.latency(), Duration(80ms));
    answer(160ms);
    EXPECT_EQ(health_.latency(), Duration(90ms));
    for (int i = 0; i < 100; ++i)
        answer(10ms);
    EXPECT_LT(*health_.latency(), 11ms);
}

}  // namespace
}  // namespace fencepost::evm
