#include "domain/chain/stable_blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/chain/test_blocks.hpp"

namespace fencepost {
namespace {

using test::block;
using test::branch;
using Refs = std::vector<BlockRef>;

HeadChange first(Refs blocks) { return {std::nullopt, {}, std::move(blocks)}; }

TEST(StableBlocks, EmitsOnlyBlocksPastTheDepth) {
    StableBlocks stable(3);
    EXPECT_EQ(stable.apply(first(branch(1, 3, 'a', 'a'))).value(), Refs{});
    EXPECT_EQ(stable.apply({block(3, 'a', 'a'), {}, branch(4, 4, 'a', 'a')}).value(), branch(1, 1, 'a', 'a'));
    EXPECT_EQ(stable.apply({block(4, 'a', 'a'), {}, branch(5, 9, 'a', 'a')}).value(), branch(2, 6, 'a', 'a'));
    EXPECT_EQ(stable.waiting(), 3U);
}

TEST(StableBlocks, ReorgTrimsPendingBlocksToTheForkPoint) {
    StableBlocks stable(3);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value(), branch(1, 3, 'a', 'a'));
    const auto out = stable.apply({block(4, 'a', 'a'), branch(5, 6, 'a', 'a'), branch(5, 8, 'b', 'a')}).value();
    EXPECT_EQ(out, (Refs{block(4, 'a', 'a'), block(5, 'b', 'a')})) << "no removed block is emitted";
}

TEST(StableBlocks, ReorgDownToTheLastEmittedBlockIsAllowed) {
    StableBlocks stable(3);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 3U);
    const auto out = stable.apply({block(3, 'a', 'a'), branch(4, 6, 'a', 'a'), branch(4, 7, 'b', 'a')}).value();
    EXPECT_EQ(out, (Refs{block(4, 'b', 'a')}));
}

TEST(StableBlocks, ReorgOfAnEmittedBlockIsAPermanentError) {
    StableBlocks stable(2);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 4U);
    const HeadChange deep{block(3, 'a', 'a'), branch(4, 6, 'a', 'a'), branch(4, 9, 'b', 'a')};
    const StableBlocksError error{StableBlocksError::Kind::reorg_too_deep, block(4, 'a', 'a')};
    EXPECT_EQ(stable.apply(deep).error(), error);
    EXPECT_EQ(stable.apply({block(9, 'b', 'b'), {}, branch(10, 10, 'b', 'b')}).error(), error)
        << "nothing is emitted any more";
}

TEST(StableBlocks, ReplacingEventContinuesAboveTheLastEmittedBlock) {
    StableBlocks stable(2);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 4U);
    EXPECT_EQ(stable.apply(first(branch(3, 8, 'a', 'a'))).value(), branch(5, 6, 'a', 'a')) << "no block twice";
    EXPECT_EQ(stable.apply(first(branch(7, 10, 'a', 'a'))).value(), branch(7, 8, 'a', 'a')) << "it follows by parent";
}

TEST(StableBlocks, ReplacingEventOnAnotherBranchIsADeepReorg) {
    StableBlocks stable(2);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 4U);
    auto copy = stable;
    EXPECT_EQ(stable.apply(first(branch(2, 9, 'b', 'a'))).error().kind, StableBlocksError::Kind::reorg_too_deep);
    EXPECT_EQ(copy.apply(first(branch(5, 9, 'b', 'b'))).error().kind, StableBlocksError::Kind::reorg_too_deep);
}

TEST(StableBlocks, GapIsAnError) {
    StableBlocks stable(2);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 4U);
    EXPECT_EQ(stable.apply(first(branch(7, 9, 'a', 'a'))).error().kind, StableBlocksError::Kind::skipped);
}

TEST(StableBlocks, EventWithoutBlocksChangesNothing) {
    StableBlocks stable(2);
    EXPECT_EQ(stable.apply(first(branch(1, 6, 'a', 'a'))).value().size(), 4U);
    EXPECT_EQ(stable.apply({block(6, 'a', 'a'), {}, {}}).value(), Refs{});
    EXPECT_EQ(stable.apply({}).value(), Refs{});
    EXPECT_EQ(stable.waiting(), 2U);
}

RC_GTEST_PROP(StableBlocks, StreamIsOneAscendingChainDespiteForks, ()) {
    const auto depth = *rc::gen::inRange<std::uint64_t>(0, 6);
    StableBlocks stable(depth);
    CanonicalChain chain;
    Refs out;
    const auto take = [&](const HeadChange& change) {
        const auto blocks = stable.apply(change);
        RC_ASSERT(blocks.has_value());
        out.insert(out.end(), blocks->begin(), blocks->end());
    };
    take(chain.adopt(branch(1, 10, 'a', 'a')).value());
    for (int i = 0; i < 20; ++i) {
        const auto head = chain.head()->number.value();
        const auto fork = head - *rc::gen::inRange<std::uint64_t>(0, depth + 1);
        Refs blocks;
        auto parent = *chain.at(BlockNumber(fork));
        for (auto n = fork + 1; n <= head + 1; ++n) {
            parent = {BlockNumber(n), test::block_hash(n, static_cast<char>('b' + i)), parent.hash};
            blocks.push_back(parent);
        }
        take(chain.adopt(blocks).value());
    }
    for (std::size_t i = 1; i < out.size(); ++i)
        RC_ASSERT(out[i].parent == out[i - 1].hash);
    RC_ASSERT(out.back().number.value() + depth == chain.head()->number.value());
    for (const auto& block : out)
        RC_ASSERT(chain.contains(block));
}

}  // namespace
}  // namespace fencepost
