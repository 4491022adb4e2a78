#include "relaxed/nonce_source.hpp"

#include "relaxed/test_source.hpp"

namespace fencepost::relaxed {
namespace {

using NonceSourceTest = SourceTest;
using Fault = FaultyNonces::Fault;
using ::testing::SizeIs;

TEST_F(NonceSourceTest, TakesTheMaximumOfChainCacheAndDatabase) {
    ASSERT_EQ(run(database_->align(shared, fence_, Nonce(5))).value().after, Nonce(5));
    chain_.mine_up_to(10);
    EXPECT_EQ(reserve(), Nonce(10)) << "chain 10, local 5";
    EXPECT_EQ(reserve(), Nonce(11));
    chain_.pending = 8;
    open();
    EXPECT_EQ(reserve(), Nonce(12)) << "chain 10, local 12";
    chain_.pending = 15;
    open();
    EXPECT_EQ(reserve(), Nonce(15)) << "pending transactions count";
}

TEST_F(NonceSourceTest, QueriesTheChainOncePerTimeOut) {
    chain_.mine_up_to(3);
    for (std::uint64_t i = 3; i < 8; ++i)
        EXPECT_EQ(reserve(), Nonce(i));
    EXPECT_EQ(chain_.asked, 1U);
    chain_.mine_up_to(20);
    EXPECT_EQ(reserve(), Nonce(8)) << "not known yet";
    world_.run_for(5min);
    EXPECT_EQ(reserve(), Nonce(20));
    EXPECT_EQ(chain_.asked, 2U);
    EXPECT_EQ(sinks_.counted["nonce_reserved_total/chain"], 2U);
    EXPECT_EQ(sinks_.counted["nonce_reserved_total/cache"], 5U);
}

TEST_F(NonceSourceTest, ExpiredEntryStillCountsInTheMaximum) {
    chain_.mine_up_to(7);
    EXPECT_EQ(reserve(), Nonce(7));
    EXPECT_EQ(reserve(), Nonce(8));
    lose_all_commits();
    world_.run_for(6min);
    EXPECT_EQ(reserve(), Nonce(9)) << "the database lost 7 and 8, and the chain has not seen them yet";
    EXPECT_EQ(chain_.asked, 2U);
}

TEST_F(NonceSourceTest, InvalidatedEntryIsQueriedAgainAndStaysABound) {
    chain_.mine_up_to(4);
    EXPECT_EQ(reserve(), Nonce(4));
    source_->invalidate();
    chain_.mine_up_to(2);
    EXPECT_EQ(reserve(), Nonce(5));
    EXPECT_EQ(chain_.asked, 2U);
}

TEST_F(NonceSourceTest, NewNonceIsNotBelowTheCallersBound) {
    chain_.mine_up_to(4);
    EXPECT_EQ(run(source_->reserve(lane_owner, Nonce(9))), Nonce(9));
    EXPECT_EQ(reserve(), Nonce(10));
}

TEST_F(NonceSourceTest, FailedCommitDropsTheEntryAndSkipsNoNonce) {
    chain_.mine_up_to(4);
    EXPECT_EQ(reserve(), Nonce(4));
    for (const auto fault : {Fault::before_commit, Fault::busy}) {
        const auto asked = chain_.asked;
        nonces_.next = fault;
        EXPECT_EQ(reserve(), err(NonceError::unavailable));
        EXPECT_EQ(chain_.asked, asked);
        nonces_.next = Fault::none;
        EXPECT_EQ(reserve(), Nonce(4 + asked));
        EXPECT_EQ(chain_.asked, asked + 1) << "queried again: the entry was dropped";
    }
}

TEST_F(NonceSourceTest, UnknownOutcomeClosesTheSource) {
    chain_.mine_up_to(4);
    nonces_.next = Fault::after_commit;
    EXPECT_EQ(reserve(), err(NonceError::unknown_outcome));
    EXPECT_EQ(reserve(), err(NonceError::unknown_outcome));
    EXPECT_EQ(follow(4, Progress::sending), err(NonceError::unknown_outcome));
    EXPECT_EQ(give_back(4), err(NonceError::unknown_outcome));
    EXPECT_EQ(run(source_->align()).error(), NonceError::unknown_outcome);
    open();
    EXPECT_EQ(reserve(), Nonce(5)) << "4 was committed, and is its reservation's until that times out";
    world_.run_for(11min);
    EXPECT_EQ(reserve(), Nonce(4));
}

TEST_F(NonceSourceTest, UsesTheLocalValueWithAWarningIfTheChainIsDown) {
    chain_.mine_up_to(6);
    EXPECT_EQ(reserve(), Nonce(6));
    world_.run_for(6min);
    chain_.offline = true;
    EXPECT_EQ(reserve(), Nonce(7)) << "from the expired entry";
    open();
    EXPECT_EQ(reserve(), Nonce(8)) << "from the database";
    EXPECT_EQ(sinks_.counted["nonce_reserved_total/local"], 2U);
    EXPECT_THAT(sinks_.logged, SizeIs(2));
    EXPECT_EQ(sinks_.logged[0].first, Severity::warning);
    ASSERT_THAT(sinks_.raised, SizeIs(2));
    EXPECT_EQ(sinks_.raised[0].kind, AlertKind::chain_unreachable);
    EXPECT_EQ(sinks_.raised[0].level, AlertLevel::warning);
}

TEST_F(NonceSourceTest, NewKeyGetsNoNonceWithoutTheChain) {
    chain_.offline = true;
    EXPECT_EQ(reserve(), err(NonceError::unavailable)) << "0 would be a guess";
    chain_.offline = false;
    chain_.mine_up_to(1000);
    EXPECT_EQ(reserve(), Nonce(1000));
}

TEST_F(NonceSourceTest, ZeroTimeOutAvoidsDuplicatesWithExternalUse) {
    open({.nonce_state_timeout = 0s});
    chain_.mine_up_to(1);
    EXPECT_EQ(reserve(), Nonce(1));
    chain_.pending = 4;  // ours, and two external ones
    EXPECT_EQ(reserve(), Nonce(4));
    chain_.mine_up_to(9);
    EXPECT_EQ(reserve(), Nonce(9));
    EXPECT_EQ(reserve(), Nonce(10));
    EXPECT_EQ(chain_.asked, 4U);
}

TEST_F(NonceSourceTest, NonceIsUsedOnlyWhenFinalAndAForkReverts) {
    EXPECT_EQ(reserve(), Nonce(0));
    ASSERT_TRUE(follow(0, Progress::sending));
    EXPECT_EQ(allocations().in_flight, 1U);
    ASSERT_TRUE(follow(0, Progress::mined));
    EXPECT_EQ(allocations().in_flight, 1U) << "provisional";
    ASSERT_TRUE(follow(0, Progress::forked));
    EXPECT_EQ(allocations().in_flight, 1U);
    ASSERT_TRUE(follow(0, Progress::final));
    EXPECT_EQ(allocations().used, 1U);
    ASSERT_TRUE(follow(0, Progress::mined));
    EXPECT_EQ(allocations().used, 1U) << "no change";
    ASSERT_TRUE(follow(0, Progress::forked));
    EXPECT_EQ(allocations().in_flight, 1U);
    EXPECT_EQ(allocations().used, 0U);
    ASSERT_TRUE(follow(0, Progress::final));
    EXPECT_EQ(sinks_.counted["nonce_used_total"], 2U);
}

TEST_F(NonceSourceTest, NonceInFlightNeverTimesOut) {
    EXPECT_EQ(reserve(), Nonce(0));
    EXPECT_EQ(reserve(), Nonce(1));
    ASSERT_TRUE(follow(1, Progress::sending));
    world_.run_for(3h);
    EXPECT_EQ(reserve("other"), Nonce(0)) << "timed out before it was sent";
    EXPECT_EQ(reserve("other"), Nonce(2));
    EXPECT_EQ(follow(0, Progress::sending), err(NonceError::not_owner_of_nonce)) << "too late: it must not be sent";
}

TEST_F(NonceSourceTest, PermanentRefusalMakesTheNonceRecyclable) {
    EXPECT_EQ(reserve(), Nonce(0));
    EXPECT_EQ(reserve(), Nonce(1));
    ASSERT_TRUE(follow(0, Progress::sending));
    EXPECT_EQ(give_back(0, "another"), err(NonceError::not_owner_of_nonce));
    ASSERT_TRUE(give_back(0));
    EXPECT_EQ(allocations().recyclable, 1U);
    EXPECT_EQ(sinks_.counted["nonce_recycled_total"], 1U);
    EXPECT_EQ(reserve("other"), Nonce(0)) << "smallest first, also below the allocated maximum";
    EXPECT_EQ(reserve("other"), Nonce(2));
}

TEST_F(NonceSourceTest, RecyclableNonceBelowTheChainsCountIsNotUsed) {
    open({.nonce_state_timeout = 0s});
    for (std::uint64_t i = 0; i < 3; ++i)
        EXPECT_EQ(reserve(), Nonce(i));
    for (std::uint64_t i = 0; i < 3; ++i)
        ASSERT_TRUE(give_back(i));
    chain_.latest = 1;
    chain_.pending = 2;
    EXPECT_EQ(reserve(), Nonce(2)) << "0 is mined, and an external transaction is pending at 1";
    chain_.pending = 1;
    EXPECT_EQ(reserve(), Nonce(1)) << "it was evicted: 1 is free again";
    EXPECT_EQ(reserve(), Nonce(3));
    chain_.latest = 0;
    chain_.pending = 0;
    EXPECT_EQ(reserve(), Nonce(0)) << "a reorg removed the transaction that was mined there";
    EXPECT_EQ(allocations().used, 0U);
}

TEST_F(NonceSourceTest, FencedSourceIsClosed) {
    EXPECT_EQ(reserve(), Nonce(0));
    auto stale = std::exchange(source_, nullptr);
    open();
    EXPECT_EQ(run(stale->reserve(LockOwner("me"))), err(NonceError::fenced));
    chain_.asked = 0;
    EXPECT_EQ(run(stale->reserve(LockOwner("me"))), err(NonceError::fenced));
    EXPECT_EQ(chain_.asked, 0U);
    EXPECT_EQ(reserve(), Nonce(1));
}

}  // namespace
}  // namespace fencepost::relaxed
