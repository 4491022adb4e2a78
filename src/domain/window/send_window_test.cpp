#include "domain/window/send_window.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

class SendWindowTest : public ::testing::Test {
protected:
    /// Fills the window, and a pool or a block shows all of it.
    void full_round() {
        next_ += window.size();
        window.sent(Nonce(next_), true, now());
        now_ += 1s;
        window.seen(Nonce(next_));
    }
    [[nodiscard]] Instant now() const { return now_; }

    SendWindow window{WindowRules{}, std::nullopt};
    std::uint64_t next_ = 0;
    Instant now_{1h};
};

TEST_F(SendWindowTest, DoublesPerFullAndSeenRound) {
    EXPECT_EQ(window.size(), 16U);
    full_round();
    EXPECT_EQ(window.size(), 32U);
    full_round();
    EXPECT_EQ(window.size(), 64U);
}

TEST_F(SendWindowTest, DoesNotGrowWhileASendIsUnseen) {
    window.sent(Nonce(16), true, now());
    window.seen(Nonce(15));
    EXPECT_EQ(window.size(), 16U);
    window.seen(Nonce(16));
    EXPECT_EQ(window.size(), 32U);
}

TEST_F(SendWindowTest, DoesNotGrowWhileItIsNotFull) {
    window.sent(Nonce(5), false, now());
    window.seen(Nonce(5));
    EXPECT_EQ(window.size(), 16U);
    EXPECT_EQ(window.state().limit, WindowLimit::demand);
}

TEST_F(SendWindowTest, RoundEndsWhenItsFirstSendsAreSeen) {
    window.sent(Nonce(16), true, now());
    window.sent(Nonce(20), true, now());
    window.seen(Nonce(16));
    EXPECT_EQ(window.size(), 32U);
}

TEST_F(SendWindowTest, StopsAtItsCeiling) {
    for (int round = 0; round < 20; ++round)
        full_round();
    EXPECT_EQ(window.state(), (WindowState{4'096, WindowLimit::ceiling}));
}

TEST_F(SendWindowTest, ReductionHalvesOncePerRound) {
    full_round();
    full_round();
    ASSERT_EQ(window.size(), 64U);
    const auto sent_at = now();
    EXPECT_TRUE(window.reduce(WindowLimit::absent, sent_at, now() + 1s));
    EXPECT_EQ(window.state(), (WindowState{32, WindowLimit::absent}));
    EXPECT_FALSE(window.reduce(WindowLimit::absent, sent_at, now() + 2s)) << "sent before the last reduction";
    EXPECT_FALSE(window.reduce(WindowLimit::absent, now() + 1s, now() + 2s)) << "and at the same time";
    EXPECT_TRUE(window.reduce(WindowLimit::account_limit, now() + 2s, now() + 3s));
    EXPECT_EQ(window.state(), (WindowState{16, WindowLimit::account_limit}));
}

TEST_F(SendWindowTest, NeverFallsBelowOne) {
    for (int i = 0; i < 10; ++i) {
        now_ += 1s;
        EXPECT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    }
    EXPECT_EQ(window.size(), 1U);
    full_round();
    EXPECT_EQ(window.size(), 2U);
}

TEST_F(SendWindowTest, GrowsLinearlyAfterTheFirstReduction) {
    for (int round = 0; round < 5; ++round)
        full_round();
    ASSERT_EQ(window.size(), 512U);
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    ASSERT_EQ(window.size(), 256U);
    full_round();
    EXPECT_EQ(window.size(), 272U);
    full_round();
    EXPECT_EQ(window.size(), 288U);
}

TEST_F(SendWindowTest, SecondReductionKeepsTheGrowthStep) {
    for (int round = 0; round < 5; ++round)
        full_round();
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    now_ += 1s;
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    ASSERT_EQ(window.size(), 128U);
    full_round();
    EXPECT_EQ(window.size(), 144U) << "as much as a window that was reduced once";
}

TEST_F(SendWindowTest, ClearsTheCauseWhenTheOldSizeIsReached) {
    full_round();
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    while (window.size() < 31) {
        full_round();
        if (window.size() < 32) ASSERT_EQ(window.state().limit, WindowLimit::absent);
    }
    full_round();
    EXPECT_EQ(window.state().limit, WindowLimit::demand);
}

TEST_F(SendWindowTest, StoresTheEffectiveSizeOfASmallerShare) {
    EXPECT_TRUE(window.needs_store({4, WindowLimit::pool_full}));
    window.stored({4, WindowLimit::pool_full});
    EXPECT_FALSE(window.needs_store({4, WindowLimit::pool_full}));
    EXPECT_FALSE(window.needs_store({7, WindowLimit::pool_full}));
    EXPECT_TRUE(window.needs_store({16, WindowLimit::demand}));
}

TEST_F(SendWindowTest, ReductionEndsTheCurrentRound) {
    window.sent(Nonce(16), true, now());
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    window.seen(Nonce(16));
    EXPECT_EQ(window.size(), 8U);
}

TEST_F(SendWindowTest, HalvesPerIdleMinuteDownToTheStartSize) {
    for (int round = 0; round < 4; ++round)
        full_round();
    ASSERT_EQ(window.size(), 256U);
    window.note_idle(now());
    window.note_idle(now() + 30s);
    window.sent(Nonce(next_ + 1), false, now() + 2min);
    EXPECT_EQ(window.size(), 64U);
    window.note_idle(now() + 3min);
    window.sent(Nonce(next_ + 2), false, now() + 2h);
    EXPECT_EQ(window.size(), 16U);
}

TEST_F(SendWindowTest, FixedWindowCanStillBeReduced) {
    SendWindow fixed(100, std::nullopt);
    EXPECT_EQ(fixed.state(), (WindowState{100, WindowLimit::ceiling}));
    ASSERT_TRUE(fixed.reduce(WindowLimit::absent, now(), now()));
    EXPECT_EQ(fixed.size(), 50U);
}

TEST_F(SendWindowTest, WindowOfOneStaysOne) {
    SendWindow one(1, WindowState{64, WindowLimit::demand});
    one.sent(Nonce(1), true, now());
    one.seen(Nonce(1));
    EXPECT_EQ(one.size(), 1U);
}

TEST_F(SendWindowTest, NextOwnerStartsWithHalfOfTheStoredSize) {
    EXPECT_EQ(SendWindow(WindowRules{}, WindowState{512, WindowLimit::absent}).size(), 256U);
    EXPECT_EQ(SendWindow(WindowRules{}, WindowState{100'000, WindowLimit::demand}).size(), 4'096U);
    EXPECT_EQ(SendWindow(8, WindowState{512, WindowLimit::absent}).size(), 8U) << "a fixed window does not adapt";
}

TEST_F(SendWindowTest, Failure73StoredDelegationStaysUntilTheChainDisprovesIt) {
    SendWindow next(WindowRules{}, WindowState{1, WindowLimit::delegated});
    EXPECT_EQ(next.state(), (WindowState{1, WindowLimit::delegated}));
    next.set_delegated(false);
    EXPECT_EQ(next.size(), 16U);
    EXPECT_TRUE(next.needs_store(next.state()));
}

TEST_F(SendWindowTest, IsStoredAfterAChangeByAFactorOfTwo) {
    EXPECT_FALSE(window.needs_store(window.state()));
    full_round();
    EXPECT_TRUE(window.needs_store(window.state()));
    window.stored(window.state());
    EXPECT_FALSE(window.needs_store(window.state()));
    for (int round = 0; round < 3; ++round)
        full_round();
    window.stored(window.state());
    ASSERT_TRUE(window.reduce(WindowLimit::absent, now(), now()));
    EXPECT_TRUE(window.needs_store(window.state()));
    window.stored(window.state());
    full_round();
    EXPECT_FALSE(window.needs_store(window.state())) << "a little more";
}

TEST_F(SendWindowTest, Failure73DelegatedAccountSendsOneAtATimeAndKeepsItsSize) {
    full_round();
    window.set_delegated(true);
    EXPECT_EQ(window.size(), 1U);
    EXPECT_EQ(window.state(), (WindowState{1, WindowLimit::delegated}));
    EXPECT_TRUE(window.needs_store(window.state()));
    window.set_delegated(false);
    EXPECT_EQ(window.size(), 32U);
}

}  // namespace
}  // namespace fencepost
