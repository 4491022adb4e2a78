#include "domain/chain/confirmation_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/chain/test_blocks.hpp"

namespace fencepost {
namespace {

using test::block_hash;
using test::branch;

CanonicalChain chain_up_to(std::uint64_t last) {
    CanonicalChain chain;
    EXPECT_TRUE(chain.adopt(branch(1, last, 'a', 'a')));
    return chain;
}

// RC07: N confirmations are N blocks above the block of inclusion.
TEST(ConfirmationList, GrowsByTheBlocksAboveTheInclusion) {
    auto chain = chain_up_to(5);
    ConfirmationList list(BlockNumber(5), block_hash(5, 'a'), 2);
    EXPECT_EQ(list.follow(chain), std::nullopt) << "the block itself is no confirmation";
    EXPECT_TRUE(chain.adopt(branch(6, 6, 'a', 'a')));
    EXPECT_EQ(list.follow(chain), (ConfirmationUpdate{false, branch(6, 6, 'a', 'a')}));
    EXPECT_FALSE(list.is_deep_enough());
    EXPECT_TRUE(chain.adopt(branch(7, 9, 'a', 'a')));
    EXPECT_EQ(list.follow(chain), (ConfirmationUpdate{false, branch(7, 7, 'a', 'a')}));
    EXPECT_TRUE(list.is_deep_enough());
    EXPECT_EQ(list.depth(), 2U);
}

// RC09: when the prefix differs, newFork and the whole list; otherwise only the new blocks.
TEST(ConfirmationList, ForkReplacesTheWholeList) {
    auto chain = chain_up_to(8);
    ConfirmationList list(BlockNumber(5), block_hash(5, 'a'), 10);
    EXPECT_EQ(list.follow(chain)->blocks, branch(6, 8, 'a', 'a'));
    EXPECT_TRUE(chain.adopt(branch(8, 9, 'b', 'a')));
    auto expected = branch(6, 7, 'a', 'a');
    for (const auto& block : branch(8, 9, 'b', 'a'))
        expected.push_back(block);
    EXPECT_EQ(list.follow(chain), (ConfirmationUpdate{true, expected}));
}

TEST(ConfirmationList, ForkToAShorterBranchLowersTheDepth) {
    auto chain = chain_up_to(9);
    ConfirmationList list(BlockNumber(5), block_hash(5, 'a'), 10);
    EXPECT_TRUE(list.follow(chain));
    EXPECT_TRUE(chain.adopt(branch(7, 7, 'b', 'a')));
    EXPECT_TRUE(list.follow(chain)->new_fork);
    EXPECT_EQ(list.depth(), 2U);
}

TEST(ConfirmationList, OrphanedNeedsAnotherBlockAtThatHeight) {
    auto chain = chain_up_to(4);
    ConfirmationList list(BlockNumber(5), block_hash(5, 'a'), 10);
    EXPECT_EQ(list.block_status(chain), BlockStatus::unseen) << "a view that lags proves nothing";
    EXPECT_TRUE(chain.adopt(branch(5, 5, 'b', 'a')));
    EXPECT_EQ(list.block_status(chain), BlockStatus::orphaned);
    EXPECT_EQ(list.follow(chain), std::nullopt);
    EXPECT_TRUE(chain.adopt(branch(5, 6, 'a', 'a')));
    EXPECT_EQ(list.block_status(chain), BlockStatus::included);
}

// After any sequence of forks the list equals the one recomputed from scratch, and so does the list of a reader who
// only applied the updates.
RC_GTEST_PROP(ConfirmationListProperty, EqualsTheRecomputedListAfterAnyForks, ()) {
    const auto required = *rc::gen::inRange<std::uint64_t>(1, 12);
    CanonicalChain chain;
    RC_ASSERT(chain.adopt(branch(1, 3, 'a', 'a')).has_value());
    const BlockNumber inclusion(3);
    ConfirmationList list(inclusion, block_hash(3, 'a'), required);
    std::vector<BlockRef> reader;

    char fork = 'a';
    const auto forks = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30));
    for (const int draw : forks) {
        const auto head = *chain.head();
        const auto depth = std::min<std::uint64_t>(static_cast<std::uint64_t>(draw) % 6, head.number.above(inclusion));
        const auto parent = *chain.at(BlockNumber(head.number.value() - depth));
        fork = static_cast<char>(fork == 'z' ? 'b' : fork + 1);
        const auto first = parent.number.value() + 1;
        const auto length = static_cast<std::uint64_t>(draw) % 5;
        const auto blocks = branch(first, first + length, fork, static_cast<char>(parent.hash.data[8]));
        RC_ASSERT(chain.adopt(blocks).has_value());

        if (const auto update = list.follow(chain)) {
            if (update->new_fork) reader.clear();
            reader.insert(reader.end(), update->blocks.begin(), update->blocks.end());
        }
        RC_ASSERT(list.blocks() == confirmations_of(inclusion, chain, required));
        RC_ASSERT(reader == list.blocks());
        RC_ASSERT(list.depth() <= required);
        RC_ASSERT(list.is_deep_enough() == (chain.head()->number.above(inclusion) >= required));
    }
}

}  // namespace
}  // namespace fencepost
