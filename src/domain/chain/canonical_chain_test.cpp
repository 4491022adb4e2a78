#include "domain/chain/canonical_chain.hpp"

#include <gtest/gtest.h>

#include "domain/chain/test_blocks.hpp"

namespace fencepost {
namespace {

using test::block;
using test::branch;

CanonicalChain chain_of_ten() {
    CanonicalChain chain;
    EXPECT_TRUE(chain.adopt(branch(1, 10, 'a', 'a')));
    return chain;
}

TEST(CanonicalChain, GrowsByLinkedBlocks) {
    auto chain = chain_of_ten();
    const auto change = chain.adopt(branch(11, 12, 'a', 'a')).value();
    EXPECT_FALSE(change.is_reorg());
    EXPECT_EQ(change.common_ancestor, block(10, 'a', 'a'));
    EXPECT_EQ(change.added.size(), 2U);
    EXPECT_EQ(chain.head()->number, BlockNumber(12));
}

TEST(CanonicalChain, ReorgReportsAncestorRemovedAndAddedBlocks) {
    auto chain = chain_of_ten();
    const auto change = chain.adopt(branch(9, 11, 'b', 'a')).value();
    EXPECT_EQ(change.common_ancestor, block(8, 'a', 'a'));
    EXPECT_EQ(change.removed, branch(9, 10, 'a', 'a'));
    EXPECT_EQ(change.added, branch(9, 11, 'b', 'a'));
    EXPECT_TRUE(chain.contains(block(11, 'b', 'b')));
    EXPECT_FALSE(chain.contains(block(9, 'a', 'a')));
}

TEST(CanonicalChain, ReorgToAShorterBranchLowersTheHead) {
    auto chain = chain_of_ten();
    EXPECT_TRUE(chain.adopt(branch(7, 8, 'b', 'a')).value().is_reorg());
    EXPECT_EQ(chain.head()->number, BlockNumber(8));
    EXPECT_EQ(chain.at(BlockNumber(9)), nullptr);
}

TEST(CanonicalChain, Failure27LaggingEndpointRemovesNoBlocks) {
    auto chain = chain_of_ten();
    EXPECT_EQ(chain.adopt(branch(3, 6, 'a', 'a')).value(), HeadChange{});
    EXPECT_EQ(chain.head()->number, BlockNumber(10));
}

TEST(CanonicalChain, OverlappingBranchAddsOnlyNewBlocks) {
    auto chain = chain_of_ten();
    const auto change = chain.adopt(branch(8, 12, 'a', 'a')).value();
    EXPECT_EQ(change.added, branch(11, 12, 'a', 'a'));
    EXPECT_FALSE(change.is_reorg());
}

TEST(CanonicalChain, UnlinkedBranchNeedsItsAncestors) {
    auto chain = chain_of_ten();
    EXPECT_EQ(chain.adopt(branch(12, 13, 'a', 'a')).error(), AdoptError::unlinked);
    EXPECT_EQ(chain.adopt(branch(9, 9, 'b', 'b')).error(), AdoptError::unlinked);
    EXPECT_EQ(chain.head()->number, BlockNumber(10)) << "nothing changed";
}

TEST(CanonicalChain, ForkBelowTheKeptBlocksIsAnError) {
    auto chain = chain_of_ten();
    chain.prune_below(BlockNumber(5));
    EXPECT_EQ(chain.oldest()->number, BlockNumber(5));
    EXPECT_EQ(chain.adopt(branch(5, 12, 'b', 'a')).error(), AdoptError::below_the_window);
    EXPECT_TRUE(chain.adopt(branch(6, 12, 'b', 'a')));
}

TEST(CanonicalChain, PruningKeepsTheHead) {
    auto chain = chain_of_ten();
    chain.prune_below(BlockNumber(100));
    EXPECT_EQ(chain.head()->number, BlockNumber(10));
    EXPECT_EQ(chain.oldest()->number, BlockNumber(10));
}

}  // namespace
}  // namespace fencepost
