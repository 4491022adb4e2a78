#include "doctor/endpoint_facts.hpp"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "doctor/clock_difference.hpp"

namespace fencepost::doctor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr UnixTime now{1'800'000'000s};
const ExpectedChain chain{.name = "main", .chain_id = 1, .max_lag = 3};

BlockHash hash(std::uint8_t byte) {
    BlockHash hash;
    hash.data.fill(byte);
    return hash;
}

EndpointResult endpoint(std::uint64_t head, Duration age = 5s, std::uint64_t chain_id = 1, std::uint8_t genesis = 1) {
    return {.name = "a",
            .facts = EndpointFacts{.chain_id = chain_id,
                                   .genesis = hash(genesis),
                                   .head = BlockNumber(head),
                                   .head_time = now - std::chrono::duration_cast<std::chrono::microseconds>(age)}};
}

Finding last_of(const std::vector<EndpointResult>& endpoints, const ExpectedChain& expected = chain) {
    return check_endpoint_facts(expected, endpoints, now).back();
}

TEST(Endpoints, AreGoodWhenUpToDate) {
    const auto finding = last_of({endpoint(43)});
    EXPECT_EQ(finding.verdict, Verdict::good);
    EXPECT_EQ(finding.subject, "chain main, endpoint a");
    EXPECT_EQ(finding.what, "chain 1, block 43, 5 s old");
}

TEST(Endpoints, AreBrokenWhenOnAnotherChain) {
    EXPECT_THAT(last_of({endpoint(43, 5s, 5)}).what, HasSubstr("chain 5, not 1"));
    const auto other = last_of({endpoint(43), endpoint(43, 5s, 1, 2)});
    EXPECT_EQ(other.verdict, Verdict::broken);
    EXPECT_THAT(other.what, HasSubstr("another chain with the same id"));
    auto pinned = chain;
    pinned.genesis = hash(2);
    EXPECT_EQ(last_of({endpoint(43, 5s, 1, 1)}, pinned).verdict, Verdict::broken);
    EXPECT_EQ(last_of({endpoint(43, 5s, 1, 2)}, pinned).verdict, Verdict::good);
    EXPECT_EQ(last_of({endpoint(43, 5s, 5, 7), endpoint(43)}).verdict, Verdict::good)
        << "an endpoint of another chain decides";
}

TEST(Endpoints, AreDoubtfulWhenLaggingOrStalled) {
    EXPECT_EQ(last_of({endpoint(43), endpoint(40)}).verdict, Verdict::good);
    const auto lagging = last_of({endpoint(43), endpoint(39)});
    EXPECT_EQ(lagging.verdict, Verdict::doubtful);
    EXPECT_THAT(lagging.what, HasSubstr("4 blocks behind the best"));
    EXPECT_EQ(last_of({endpoint(43, 10min)}).verdict, Verdict::doubtful);
    EXPECT_EQ(last_of({endpoint(9000, 5s, 5), endpoint(43)}).verdict, Verdict::good)
        << "compared with an endpoint of another chain";
    EXPECT_THAT(last_of({endpoint(43, -10min)}).what, HasSubstr("dated in the future"));
    EXPECT_EQ(last_of({endpoint(43, -10min)}).verdict, Verdict::doubtful);
}

TEST(Endpoints, AreBrokenWithoutAnAnswer) {
    const auto finding = last_of({endpoint(43), {.name = "b", .facts = err(std::string("connection refused"))}});
    EXPECT_EQ(finding.verdict, Verdict::broken);
    EXPECT_EQ(finding.what, "connection refused");
}

TEST(ClockDifference, SubtractsTheRoundTrip) {
    EXPECT_EQ(judge_clock_difference(now, now, 0s).verdict, Verdict::good);
    EXPECT_EQ(judge_clock_difference(now - 3s, now, 3s).verdict, Verdict::good);
    const auto behind = judge_clock_difference(now - 5s, now, 2s);
    EXPECT_EQ(behind.verdict, Verdict::doubtful);
    EXPECT_EQ(behind.what, "3.0 s behind this machine's");
    EXPECT_EQ(judge_clock_difference(now + 2s, now, 3s).what, "2.0 s ahead of this machine's");
    EXPECT_EQ(judge_clock_difference(now + 1min, now, 0s).verdict, Verdict::broken);
}

}  // namespace
}  // namespace fencepost::doctor
