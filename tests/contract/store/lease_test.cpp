// Leases: one owner at a time, tokens that only rise, by the database's clock.
#include <algorithm>

#include "base/async/task_group.hpp"
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class LeaseContract : public StoreContract {
protected:
    Task<LeaseResult> open(Store* at, NodeId node, Duration lease, FenceToken* token = nullptr) {
        const auto answer = (co_await at->open(submitter_, node, lease)).value();
        if (token != nullptr && answer.fence) *token = answer.fence->token;
        co_return answer.result;
    }
    Task<LeaseResult> renew(Fence fence, Duration lease) {
        std::vector<LeaseClaim> claims{{submitter_, fence}};
        co_return (co_await store().renew(std::move(claims), lease)).value().at(0);
    }
    Task<Lease> lease() { co_return (co_await store().submitter(submitter_)).value().lease.value(); }

    Task<void> insert_not_owner_takeover() {
        FenceToken token;
        EXPECT_EQ(co_await open(&store(), node_a_, 30s, &token), LeaseResult::inserted);
        EXPECT_EQ(token, FenceToken(1));
        const auto before = co_await lease();
        EXPECT_EQ(co_await open(&other(), node_b_, 300ms), LeaseResult::not_owner);
        EXPECT_EQ(co_await lease(), before) << "the row is unchanged";
        co_await lapse({node_a_, token});
        EXPECT_EQ(co_await open(&other(), node_b_, 300ms, &token), LeaseResult::taken_over);
        EXPECT_EQ(token, FenceToken(2));
        EXPECT_GT((co_await lease()).acquired_at, before.acquired_at);
    }

    Task<void> own_expired_is_a_takeover() {
        FenceToken token;
        EXPECT_EQ(co_await open(&store(), node_a_, 100ms), LeaseResult::inserted);
        co_await sleep(150ms);
        EXPECT_EQ(co_await open(&store(), node_a_, 100ms, &token), LeaseResult::taken_over);
        EXPECT_EQ(token, FenceToken(2));
    }

    Task<void> reopen_raises_renew_keeps() {
        FenceToken token;
        EXPECT_EQ(co_await open(&store(), node_a_, 30s), LeaseResult::inserted);
        EXPECT_EQ(co_await open(&store(), node_a_, 30s, &token), LeaseResult::reopened);
        EXPECT_EQ(token, FenceToken(2));
        const auto before = co_await lease();
        EXPECT_EQ(co_await renew({node_a_, FenceToken(1)}, 60s), LeaseResult::not_owner);
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(co_await renew({node_a_, FenceToken(2)}, 60s), LeaseResult::renewed);
        const auto after = co_await lease();
        EXPECT_EQ(after.token, FenceToken(2));
        EXPECT_EQ(after.acquired_at, before.acquired_at);
        EXPECT_GT(after.expires_at, before.expires_at + 20s);
    }

    Task<void> expired_is_not_renewed() {
        EXPECT_EQ(co_await open(&store(), node_a_, 100ms), LeaseResult::inserted);
        co_await sleep(150ms);
        EXPECT_EQ(co_await renew({node_a_, FenceToken(1)}, 30s), LeaseResult::not_owner);
    }

    Task<void> release_keeps_the_token() {
        const auto fence = co_await opened(&store(), node_a_);
        std::vector<LeaseClaim> stale{{submitter_, {node_a_, FenceToken(fence.token.value() + 1)}}};
        EXPECT_TRUE((co_await store().release(stale)).has_value());
        EXPECT_EQ(co_await open(&other(), node_b_, 30s), LeaseResult::not_owner) << "released under a wrong token";
        std::vector<LeaseClaim> claims{{submitter_, fence}};
        EXPECT_TRUE((co_await store().release(claims)).has_value());
        FenceToken token;
        EXPECT_EQ(co_await open(&other(), node_b_, 30s, &token), LeaseResult::taken_over);
        EXPECT_EQ(token, FenceToken(2));
    }

    Task<void> open_into(Store* at, NodeId node, std::vector<LeaseResult>* results) {
        results->push_back(co_await open(at, node, 30s));
    }

    Task<void> many_acquirers() {
        std::vector<LeaseResult> results;
        TaskGroup group(executor());
        for (int i = 0; i < 20; ++i) {
            group.spawn(open_into(i % 2 == 0 ? &store() : &other(), NodeId(fmt::format("node-{}", i)), &results));
        }
        co_await group.join();
        EXPECT_EQ(std::ranges::count(results, LeaseResult::inserted), 1);
        EXPECT_EQ(std::ranges::count(results, LeaseResult::not_owner), 19);
    }

    Task<void> batched_renewal() {
        std::vector<LeaseClaim> claims;
        for (const auto& name : {submitter_, second_}) {
            const auto answer = (co_await store().open(name, node_a_, 30s)).value();
            claims.push_back({name, *answer.fence});
        }
        claims.push_back({SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000ff").value(),
                          {node_a_, FenceToken(1)}});
        const auto results = (co_await store().renew(claims, 60s)).value();
        EXPECT_EQ(results, (std::vector{LeaseResult::renewed, LeaseResult::renewed, LeaseResult::not_owner}));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, LeaseContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(LeaseContract, TakesOverOnlyExpiredLease) { run(insert_not_owner_takeover()); }
TEST_P(LeaseContract, OwnExpiredLeaseIsTakenOver) { run(own_expired_is_a_takeover()); }
TEST_P(LeaseContract, OpeningRaisesTokenAndRenewalKeepsIt) { run(reopen_raises_renew_keeps()); }
TEST_P(LeaseContract, ExpiredLeaseIsNotRenewed) { run(expired_is_not_renewed()); }
TEST_P(LeaseContract, Failure34ReleaseKeepsRowAndToken) { run(release_keeps_the_token()); }
TEST_P(LeaseContract, OneOfManyConcurrentAcquirersWins) { run(many_acquirers()); }
TEST_P(LeaseContract, RenewsBatchIndividually) { run(batched_renewal()); }

}  // namespace
}  // namespace fencepost::contract
