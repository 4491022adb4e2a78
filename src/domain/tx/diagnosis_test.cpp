#include "domain/tx/diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/chain/test_blocks.hpp"

namespace fencepost {
namespace {

using test::tx_hash;
using ::testing::HasSubstr;

Wei wei(std::uint64_t amount) { return Wei(Uint256(amount)); }

SlotFacts waiting(std::uint64_t nonce) {
    return {.nonce = Nonce(nonce), .ours = {tx_hash(1), tx_hash(2)}, .offered = wei(100), .is_known = true};
}

SlotFacts missing(std::uint64_t nonce) {
    auto slot = waiting(nonce);
    slot.is_known = false;
    return slot;
}

Diagnosis one(const SlotFacts& slot, std::uint64_t count = 0, std::optional<Wei> base_fee = wei(100)) {
    return diagnose(std::vector{slot}, Nonce(count), base_fee).front();
}

TEST(OverdueDiagnosis, LowestMissingNonceBlocksTheOthers) {
    std::vector<SlotFacts> slots{waiting(40), missing(41)};
    for (std::uint64_t nonce = 42; nonce <= 57; ++nonce)
        slots.push_back(waiting(nonce));
    slots[5] = missing(slots[5].nonce.value());
    const auto found = diagnose(slots, Nonce(40), std::nullopt);
    EXPECT_EQ(found[0].likely, LikelyCause::in_pool);
    EXPECT_EQ(found[1].likely, LikelyCause::lost);
    EXPECT_EQ(found[1].sentence,
              "nonce 41 is missing from every endpoint's pool; 42–57 are blocked by it; re-sending 41");
    for (const std::size_t i : {2U, 5U, 17U}) {
        EXPECT_EQ(found[i].likely, LikelyCause::gap_below);
        EXPECT_EQ(found[i].gap, Nonce(41));
    }
}

TEST(OverdueDiagnosis, SentenceFitsZeroAndOneBlockedNonce) {
    EXPECT_EQ(one(missing(3)).sentence, "nonce 3 is missing from every endpoint's pool; re-sending 3");
    const auto two = diagnose(std::vector{missing(3), waiting(4)}, Nonce(3), std::nullopt);
    EXPECT_THAT(two.front().sentence, HasSubstr("; 4 is blocked by it;"));
}

TEST(OverdueDiagnosis, ReportsTheMissingFee) {
    const auto found = one(waiting(3), 3, wei(130));
    EXPECT_EQ(found.likely, LikelyCause::underpriced);
    EXPECT_EQ(found.short_by, wei(30));
    EXPECT_EQ(one(waiting(3), 3, wei(100)).likely, LikelyCause::in_pool);
    EXPECT_EQ(one(waiting(3), 3, std::nullopt).likely, LikelyCause::in_pool);
}

TEST(OverdueDiagnosis, ReportsTheTransactionInItsPlace) {
    auto slot = waiting(3);
    slot.in_pool = tx_hash(9);
    EXPECT_EQ(one(slot).likely, LikelyCause::foreign_in_slot);
    EXPECT_EQ(one(slot).other, tx_hash(9));
    slot.in_pool = tx_hash(1);
    EXPECT_EQ(one(slot).likely, LikelyCause::replaced);
    EXPECT_EQ(one(slot).other, tx_hash(1));
    slot.in_pool = tx_hash(2);
    EXPECT_EQ(one(slot).likely, LikelyCause::in_pool);
}

TEST(OverdueDiagnosis, ConsumedNonceIsExternalUnlessANodeLags) {
    EXPECT_EQ(one(missing(3), 4).likely, LikelyCause::foreign_in_slot);
    EXPECT_EQ(one(missing(3), 4).other, std::nullopt);
    EXPECT_EQ(one(waiting(3), 4).likely, LikelyCause::node_lagging);
    auto mined = waiting(3);
    mined.in_block = BlockNumber(7);
    EXPECT_EQ(one(mined, 4).likely, LikelyCause::node_lagging);
    EXPECT_THAT(one(mined, 4).sentence, HasSubstr("in block 7"));
}

SlotFacts withheld(std::uint64_t nonce, std::uint64_t behind) {
    auto slot = missing(nonce);
    slot.withheld = QueuedBehind{behind, {{2, WindowLimit::pool_full}}};
    return slot;
}

TEST(OverdueDiagnosis, WithheldNonceIsNotLost) {
    auto held_all_the_same = withheld(6, 3);
    held_all_the_same.is_known = true;
    const auto found =
        diagnose(std::vector{waiting(3), waiting(4), withheld(5, 2), held_all_the_same}, Nonce(3), std::nullopt);
    EXPECT_EQ(found[1].likely, LikelyCause::in_pool);
    EXPECT_EQ(found[2].likely, LikelyCause::window_full);
    EXPECT_EQ(found[2].behind, (QueuedBehind{2, {{2, WindowLimit::pool_full}}}));
    EXPECT_EQ(found[2].sentence, "nonce 5 is queued behind 2 transactions: the window is 2 (limited by pool_full)");
    EXPECT_EQ(found[3].likely, LikelyCause::window_full) << "a pool holds it, and it cannot be mined yet";
}

TEST(OverdueDiagnosis, WithheldNonceInAPoolWithoutPredecessorsIsPending) {
    auto slot = withheld(5, 2);
    slot.is_known = true;
    EXPECT_EQ(diagnose(std::vector{waiting(3), waiting(4), slot}, Nonce(3), std::nullopt).back().likely,
              LikelyCause::in_pool);
}

TEST(OverdueDiagnosis, MissingNonceTakesPrecedenceOverAFullWindow) {
    const auto found = diagnose(std::vector{waiting(3), missing(4), withheld(5, 2)}, Nonce(3), std::nullopt);
    EXPECT_EQ(found[1].likely, LikelyCause::lost);
    EXPECT_EQ(found[2].likely, LikelyCause::gap_below);
    EXPECT_EQ(found[2].gap, Nonce(4));
    EXPECT_EQ(found[2].behind, std::nullopt);
}

}  // namespace
}  // namespace fencepost
