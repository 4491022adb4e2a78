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

ReportedTag reported(std::uint64_t number, char fork = 'a') {
    return {ReportedTag::Kind::reported, block(number, fork, fork)};
}
const ReportedTag absent{ReportedTag::Kind::absent};
const ReportedTag unanswered{ReportedTag::Kind::unanswered};

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

TEST(Finality, ErrorOrNullIsAbsentAndSilenceIsUnanswered) {
    EXPECT_EQ(ReportedTag::from(Json{}).kind, ReportedTag::Kind::absent);
    EXPECT_EQ(ReportedTag::from(err(test::node_error(-32602, "unknown block tag"))).kind, ReportedTag::Kind::absent);
    EXPECT_EQ(ReportedTag::from(err(test::node_error(-32603, "Internal error"))).kind, ReportedTag::Kind::unanswered);
    EXPECT_EQ(ReportedTag::from(err(test::node_error(-39001, "finalized block not found"))).kind,
              ReportedTag::Kind::unanswered);
    EXPECT_EQ(ReportedTag::from(err(test::no_answer())).kind, ReportedTag::Kind::unanswered);
    EXPECT_EQ(ReportedTag::from(err(test::node_error(-32005, "rate limit"))).kind, ReportedTag::Kind::unanswered);
    EXPECT_EQ(ReportedTag::from(Json("what")).kind, ReportedTag::Kind::unanswered);
}

TEST(Finality, FinalizedNeverStepsBack) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(reported(150), reported(120), chain), settled(150, 120));
    EXPECT_EQ(finality.update(reported(140), reported(110), chain), settled(150, 120));
    EXPECT_EQ(finality.update(unanswered, unanswered, chain), settled(150, 120));
    EXPECT_EQ(finality.update(absent, absent, chain), settled(150, 120)) << "a tag once returned is awaited";
    EXPECT_EQ(finality.update(reported(150), reported(160), chain), settled(160, 160))
        << "a finalized block is also safe";
}

TEST(Finality, IgnoresTagsOffBranchOrAboveHead) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(reported(150, 'b'), reported(120, 'b'), chain), settled({}, {}));
    EXPECT_EQ(finality.update(reported(201), reported(201), chain), settled({}, {}));
}

TEST(Finality, SafeStepsBackOnReorg) {
    Finality finality(64);
    auto chain = chain_to(200);
    EXPECT_EQ(finality.update(reported(195), reported(120), chain), settled(195, 120));
    EXPECT_TRUE(chain.adopt(branch(191, 201, 'b', 'a')));
    EXPECT_EQ(finality.update(reported(185), reported(120), chain), settled(185, 120));
}

TEST(Finality, UsesDepthWithoutTagsAndReportsItOnce) {
    Finality finality(64);
    EXPECT_EQ(finality.update(absent, absent, chain_to(200)), settled(168, 136));
    EXPECT_EQ(finality.newly_unsupported().size(), 2U);
    EXPECT_EQ(finality.update(absent, absent, chain_to(201)), settled(169, 137));
    EXPECT_TRUE(finality.newly_unsupported().empty());
    EXPECT_EQ(finality.bottom(absent, BlockNumber(200)), BlockNumber(136));
    EXPECT_EQ(finality.bottom(absent, BlockNumber(20)), BlockNumber(0));
    EXPECT_EQ(finality.bottom(reported(150), BlockNumber(200)), BlockNumber(150));
    EXPECT_EQ(finality.bottom(unanswered, BlockNumber(200)), std::nullopt);
}

TEST(Finality, UsesTagThatAppearsLater) {
    Finality finality(64);
    const auto chain = chain_to(200);
    EXPECT_EQ(finality.update(absent, absent, chain), settled(168, 136));
    EXPECT_EQ(finality.update(reported(190), reported(180), chain), settled(190, 180));
}

}  // namespace
}  // namespace fencepost::evm
