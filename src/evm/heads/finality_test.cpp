// How far a chain is settled, given the answers for its tags.
#include "evm/heads/finality.hpp"

#include <gtest/gtest.h>

#include "domain/chain/test_blocks.hpp"
#include "evm/json_values.hpp"
#include "evm/test_rpc.hpp"

namespace fencepost::evm {
namespace {

using fencepost::test::block;
using fencepost::test::branch;

ToldTag told(std::uint64_t number, char fork = 'a') { return {ToldTag::Kind::told, block(number, fork, fork)}; }
const ToldTag absent{ToldTag::Kind::absent};
const ToldTag unheard{ToldTag::Kind::unheard};

CanonicalChain chain_to(std::uint64_t head) {
    CanonicalChain chain;
    EXPECT_TRUE(chain.adopt(branch(100, head, 'a', 'a')));
    return chain;
}

Settled settled(std::optional<std::uint64_t> safe, std::optional<std::uint64_t> finalized) {
    Settled result;
    if (safe) result.safe = BlockNumber(*safe);
    if (finalized) result.finalized = BlockNumber(*finalized);
    return result;
}

TEST(Finality, AnErrorOfTheNodesOwnOrNullIsAbsentAndSilenceIsNothing) {
    EXPECT_EQ(ToldTag::from(Json{}).kind, ToldTag::Kind::absent);
    EXPECT_EQ(ToldTag::from(err(test::node_error(-32602, "unknown block tag"))).kind, ToldTag::Kind::absent);
    EXPECT_EQ(ToldTag::from(err(test::node_error(-32603, "Internal error"))).kind, ToldTag::Kind::unheard);
    EXPECT_EQ(ToldTag::from(err(test::node_error(-39001, "finalized block not found"))).kind, ToldTag::Kind::unheard);
    EXPECT_EQ(ToldTag::from(err(test::silence())).kind, ToldTag::Kind::unheard);
    EXPECT_EQ(ToldTag::from(err(test::node_error(-32005, "rate limit"))).kind, ToldTag::Kind::unheard);
    EXPECT_EQ(ToldTag::from(Json("what")).kind, ToldTag::Kind::unheard);
}

TEST(Finality, FinalizedNeverStepsBack) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(told(150), told(120), chain), settled(150, 120));
    EXPECT_EQ(finality.update(told(140), told(110), chain), settled(150, 120));
    EXPECT_EQ(finality.update(unheard, unheard, chain), settled(150, 120));
    EXPECT_EQ(finality.update(absent, absent, chain), settled(150, 120)) << "a tag once returned is awaited";
    EXPECT_EQ(finality.update(told(150), told(160), chain), settled(160, 160)) << "a finalized block is also safe";
}

TEST(Finality, WhatIsToldOfAnotherBranchOrAboveTheHeadDoesNotCount) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(told(150, 'b'), told(120, 'b'), chain), settled({}, {}));
    EXPECT_EQ(finality.update(told(201), told(201), chain), settled({}, {}));
}

TEST(Finality, SafeStepsBackWhenAReorgRemovesIt) {
    Finality finality(64);
    auto chain = chain_to(200);
    EXPECT_EQ(finality.update(told(195), told(120), chain), settled(195, 120));
    EXPECT_TRUE(chain.adopt(branch(191, 201, 'b', 'a')));
    EXPECT_EQ(finality.update(told(185), told(120), chain), settled(185, 120));
}

TEST(Finality, WithoutTagsDepthIsCountedAndNoticedOnce) {
    Finality finality(64);
    EXPECT_EQ(finality.update(absent, absent, chain_to(200)), settled(168, 136));
    EXPECT_EQ(finality.newly_absent().size(), 2U);
    EXPECT_EQ(finality.update(absent, absent, chain_to(201)), settled(169, 137));
    EXPECT_TRUE(finality.newly_absent().empty());
    EXPECT_EQ(finality.bottom(absent, BlockNumber(200)), BlockNumber(136));
    EXPECT_EQ(finality.bottom(absent, BlockNumber(20)), BlockNumber(0));
    EXPECT_EQ(finality.bottom(told(150), BlockNumber(200)), BlockNumber(150));
    EXPECT_EQ(finality.bottom(unheard, BlockNumber(200)), std::nullopt);
}

TEST(Finality, ATagThatAppearsLaterIsTaken) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(absent, absent, chain), settled(168, 136));
    EXPECT_EQ(finality.update(told(190), told(180), chain), settled(190, 180));
}

}  // namespace
}  // namespace fencepost::evm
