#include "domain/window/nonce_window.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost {
namespace {

TEST(NonceWindow, OffersContiguousNoncesUpToItsSize) {
    const NonceWindow window(Nonce(7), 3);
    EXPECT_EQ(window.offer(0), Nonce(7));
    EXPECT_EQ(window.offer(2), Nonce(9));
    EXPECT_EQ(window.offer(3), std::nullopt);
}

TEST(NonceWindow, WindowOfOneWaitsForTheLastNonce) {
    NonceWindow window(Nonce(0), 1);
    window.committed(1);
    EXPECT_EQ(window.offer(0), std::nullopt);
    window.consumed(Nonce(0));
    EXPECT_EQ(window.offer(0), Nonce(1));
}

TEST(NonceWindow, OffersNothingWhileAReorgExceedsTheWindow) {
    NonceWindow window(Nonce(0), 2);
    window.committed(2);
    window.consumed(Nonce(0));
    window.consumed(Nonce(1));
    window.committed(2);
    window.unconsumed(Nonce(0));
    EXPECT_EQ(window.in_flight(), 3U);
    EXPECT_EQ(window.room(), 0U);
    EXPECT_EQ(window.lowest_in_flight(), Nonce(0));
}

TEST(NonceWindow, FindsTheNthNonceInFlightDespiteGaps) {
    NonceWindow window(Nonce(10), 8);
    window.committed(5);
    EXPECT_EQ(window.nth_in_flight(0), Nonce(10));
    EXPECT_EQ(window.nth_in_flight(3), Nonce(13));
    EXPECT_EQ(window.nth_in_flight(5), std::nullopt);
    window.consumed(Nonce(11));
    EXPECT_EQ(window.nth_in_flight(1), Nonce(12));
    EXPECT_EQ(window.nth_in_flight(3), Nonce(14));
    EXPECT_EQ(window.nth_in_flight(4), std::nullopt);
}

TEST(NonceWindow, CountsNoncesInFlightBelowDespiteGaps) {
    NonceWindow window(Nonce(10), 8);
    EXPECT_EQ(window.in_flight_below(Nonce(10)), 0U);
    window.committed(5);
    EXPECT_EQ(window.in_flight_below(Nonce(9)), 0U);
    EXPECT_EQ(window.in_flight_below(Nonce(13)), 3U);
    EXPECT_EQ(window.in_flight_below(Nonce(99)), 5U);
    window.consumed(Nonce(11));
    EXPECT_EQ(window.in_flight_below(Nonce(13)), 2U);
}

TEST(NonceWindow, SmallerSizeKeepsNoncesInFlightAndOffersNothing) {
    NonceWindow window(Nonce(0), 8);
    window.committed(6);
    window.resize(4);
    EXPECT_EQ(window.in_flight(), 6U);
    EXPECT_EQ(window.offer(0), std::nullopt);
    window.resize(7);
    EXPECT_EQ(window.offer(0), Nonce(6));
    EXPECT_EQ(window.offer(1), std::nullopt);
}

TEST(NonceWindow, Failure01UncommittedNonceIsOfferedAgain) {
    NonceWindow window(Nonce(4), 16);
    EXPECT_EQ(window.offer(0), Nonce(4));  // signing or commit fails, or the process dies: no nonce was used
    EXPECT_EQ(window.offer(0), Nonce(4));
    window.committed(1);
    EXPECT_EQ(window.offer(0), Nonce(5));
}

TEST(NonceWindow, SharedKeyCommitsNoncesAtAnyPosition) {
    NonceWindow window(Nonce(0), 3);
    window.committed(Nonce(5));
    window.committed(Nonce(2));
    EXPECT_EQ(window.next(), Nonce(6));
    EXPECT_EQ(window.lowest_in_flight(), Nonce(2));
    EXPECT_EQ(window.highest_in_flight(), Nonce(5));
    EXPECT_EQ(window.room(), 1U);
    window.consumed(Nonce(5));
    window.move_back(Nonce(3));
    EXPECT_EQ(window.next(), Nonce(3));
}

TEST(NonceWindow, FillingAGapNeedsNoRoom) {
    NonceWindow window(Nonce(0), 1);
    window.committed(Nonce(5));
    EXPECT_EQ(window.room(), 0U);
    window.committed(Nonce(3));
    EXPECT_EQ(window.lowest_in_flight(), Nonce(3));
    EXPECT_EQ(window.next(), Nonce(6));
    EXPECT_DEATH(window.committed(Nonce(6)), "without room");
}

TEST(NonceWindowDeathTest, RejectsStepBackOverAndRecommitOfNoncesInFlight) {
    NonceWindow window(Nonce(0), 3);
    window.committed(Nonce(5));
    EXPECT_DEATH(window.move_back(Nonce(5)), "above the cursor");
    EXPECT_DEATH(window.committed(Nonce(5)), "in flight twice");
}

TEST(NonceWindowDeathTest, UnallocatedNonceCannotBeConsumed) {
    NonceWindow window(Nonce(4), 16);
    EXPECT_DEATH(window.consumed(Nonce(4)), "never allocated");
    EXPECT_DEATH(window.committed(17), "room for 16");
    EXPECT_DEATH(NonceWindow(Nonce(4), 1, std::vector{Nonce(4)}), "above the cursor");
}

// Random batches that commit or not, blocks, reorgs, and crashes after which a new window is built from the committed
// nonces: these are 0, 1, 2, … without a gap and without duplicates.
RC_GTEST_PROP(NonceWindowProperty, NeverReusesANonceAndNeverLeavesAGap, ()) {
    const auto size = *rc::gen::inRange<std::uint32_t>(1, 20);
    std::vector<Nonce> ledger;
    std::set<Nonce> unmined;
    NonceWindow window(Nonce(0), size);

    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
    for (const int step : steps) {
        if (step <= 1) {  // a batch, which commits or not
            std::vector<Nonce> batch;
            for (std::uint64_t i = 0; i < *rc::gen::inRange<std::uint64_t>(0, 25); ++i) {
                if (const auto nonce = window.offer(i)) batch.push_back(*nonce);
            }
            RC_ASSERT(batch.size() <= size);
            if (step == 0) continue;
            window.committed(batch.size());
            ledger.insert(ledger.end(), batch.begin(), batch.end());
            unmined.insert(batch.begin(), batch.end());
        } else if (step <= 3 && !unmined.empty()) {  // the lowest is mined
            window.consumed(*unmined.begin());
            unmined.erase(unmined.begin());
        } else if (step == 4 && unmined.size() < ledger.size()) {  // a reorg takes the highest mined one back
            const Nonce taken = unmined.empty() ? ledger.back() : Nonce(unmined.begin()->value() - 1);
            window.unconsumed(taken);
            unmined.insert(taken);
        } else if (step == 5) {  // a crash: the next owner loads cursor and unmined nonces from the store
            window = NonceWindow(Nonce(ledger.size()), size, std::vector(unmined.begin(), unmined.end()));
        }
        RC_ASSERT(window.in_flight() == unmined.size());
    }
    for (std::size_t i = 0; i < ledger.size(); ++i)
        RC_ASSERT(ledger[i] == Nonce(i));
    RC_ASSERT(window.next() == Nonce(ledger.size()));
}

}  // namespace
}  // namespace fencepost
