#include "lane/confirm/mined_blocks.hpp"

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

BlockKey block(std::uint64_t number) { return {BlockNumber(number), BlockHash{}}; }

// A reorg moved the lower nonces of block 53 elsewhere, where they are not settled yet, and higher ones into block 50.
TEST(MinedBlocks, LowestSettledNonceMayBeAboveTheLowestBlock) {
    MinedBlocks blocks;
    blocks.add_settled(block(53), Nonce(3), Nonce(8));
    blocks.add_settled(block(50), Nonce(9), Nonce(10));
    EXPECT_EQ(blocks.lowest_settled(), Nonce(3));
    blocks.forget_settled(blocks.settled.find(block(53)));
    EXPECT_EQ(blocks.lowest_settled(), Nonce(9));
    blocks.forget_settled(blocks.settled.begin());
    EXPECT_EQ(blocks.lowest_settled(), std::nullopt);
}

TEST(MinedBlocks, SettledBlockRangeGrowsInBothDirections) {
    MinedBlocks blocks;
    blocks.add_settled(block(5), Nonce(4), Nonce(4));
    blocks.add_settled(block(5), Nonce(2), Nonce(2));
    blocks.add_settled(block(5), Nonce(7), Nonce(7));
    EXPECT_EQ(blocks.settled.at(block(5)).first, Nonce(2));
    EXPECT_EQ(blocks.settled.at(block(5)).last, Nonce(7));
    EXPECT_EQ(blocks.lowest_settled(), Nonce(2));
}

}  // namespace
}  // namespace fencepost::lane
