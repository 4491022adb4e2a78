#include "domain/lease.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

const NodeId node_a("a");
const NodeId node_b("b");
constexpr UnixTime opened_at(1'000s);
constexpr Duration ten_seconds = 10s;

Lease held_by_a() { return *open_lease(std::nullopt, node_a, opened_at, ten_seconds).lease; }

TEST(Lease, FirstOpeningInsertsTokenOne) {
    const auto [result, lease] = open_lease(std::nullopt, node_a, opened_at, ten_seconds);
    EXPECT_EQ(result, LeaseResult::inserted);
    EXPECT_EQ(lease, (Lease{node_a, FenceToken(1), opened_at, opened_at + 10s}));
}

TEST(Lease, UnexpiredLeaseOfAnotherNodeIsKept) {
    const auto [result, lease] = open_lease(held_by_a(), node_b, opened_at + 9'999ms, ten_seconds);
    EXPECT_EQ(result, LeaseResult::not_owner);
    EXPECT_EQ(lease, held_by_a());
}

TEST(Lease, ExpiredLeaseIsTakenOverWithTheNextToken) {
    for (const auto& node : {node_a, node_b}) {  // no grace period for the old owner
        const auto [result, lease] = open_lease(held_by_a(), node, opened_at + 10s, ten_seconds);
        EXPECT_EQ(result, LeaseResult::taken_over);
        EXPECT_EQ(lease, (Lease{node, FenceToken(2), opened_at + 10s, opened_at + 20s}));
    }
}

TEST(Lease, Failure19ReopeningOwnLeaseRaisesTheToken) {
    const auto [result, lease] = open_lease(held_by_a(), node_a, opened_at + 1s, ten_seconds);
    EXPECT_EQ(result, LeaseResult::reopened);
    EXPECT_EQ(lease->token, FenceToken(2));
    EXPECT_FALSE(holds(lease, {node_a, FenceToken(1)}, opened_at + 1s));
}

TEST(Lease, RenewingKeepsTokenAndAcquiredAt) {
    const auto [result, lease] = renew_lease(held_by_a(), {node_a, FenceToken(1)}, opened_at + 3s, ten_seconds);
    EXPECT_EQ(result, LeaseResult::renewed);
    EXPECT_EQ(lease, (Lease{node_a, FenceToken(1), opened_at, opened_at + 13s}));
}

TEST(Lease, RenewsNeitherExpiredNorOtherNodesLeases) {
    EXPECT_EQ(renew_lease(held_by_a(), {node_a, FenceToken(1)}, opened_at + 10s, ten_seconds).result,
              LeaseResult::not_owner);
    EXPECT_EQ(renew_lease(held_by_a(), {node_a, FenceToken(7)}, opened_at, ten_seconds).result, LeaseResult::not_owner);
    EXPECT_EQ(renew_lease(held_by_a(), {node_b, FenceToken(1)}, opened_at, ten_seconds).result, LeaseResult::not_owner);
    EXPECT_EQ(renew_lease(std::nullopt, {node_a, FenceToken(1)}, opened_at, ten_seconds).result,
              LeaseResult::not_owner);
}

TEST(Lease, Failure34ReleaseKeepsRowAndToken) {
    const auto released = release_lease(held_by_a(), {node_a, FenceToken(1)});
    ASSERT_TRUE(released);
    EXPECT_EQ(released->token, FenceToken(1));
    EXPECT_TRUE(is_expired(*released, opened_at));
    EXPECT_EQ(open_lease(released, node_b, opened_at, ten_seconds).lease->token, FenceToken(2));
}

TEST(Lease, ReleaseWithAnOldTokenHasNoEffect) {
    EXPECT_EQ(release_lease(held_by_a(), {node_a, FenceToken(0)}), held_by_a());
    EXPECT_EQ(release_lease(held_by_a(), {node_b, FenceToken(1)}), held_by_a());
    EXPECT_EQ(release_lease(std::nullopt, {node_a, FenceToken(1)}), std::nullopt);
}

// Random operations of several nodes: tokens only rise, and two fences never hold at once.
RC_GTEST_PROP(LeaseProperty, TokensAscendAndOnlyOneFenceHolds, ()) {
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3));
    std::optional<Lease> lease;
    std::vector<Fence> fences;
    auto now = opened_at;
    FenceToken last_token;
    for (const int step : steps) {
        now += std::chrono::milliseconds(*rc::gen::inRange(0, 6'000));
        if (step == 0) {
            const NodeId node(fmt::format("node-{}", *rc::gen::inRange(0, 3)));
            const auto change = open_lease(lease, node, now, ten_seconds);
            if (change.result != LeaseResult::not_owner) {
                RC_ASSERT(change.lease->token > last_token);
                fences.push_back({node, change.lease->token});
            }
            lease = change.lease;
        } else if (!fences.empty()) {
            const auto& fence = fences[*rc::gen::inRange<std::size_t>(0, fences.size())];
            lease = step == 1 ? renew_lease(lease, fence, now, ten_seconds).lease : release_lease(lease, fence);
        }
        if (lease) {
            RC_ASSERT(lease->token >= last_token);
            last_token = lease->token;
        }
        RC_ASSERT(std::ranges::count_if(fences, [&](const Fence& f) { return holds(lease, f, now); }) <= 1);
    }
}

}  // namespace
}  // namespace fencepost
