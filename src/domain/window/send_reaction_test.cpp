#include "domain/window/send_reaction.hpp"

#include <set>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(SendReaction, EveryOutcomeHasOneReaction) {
    std::set<SendOutcome> rows;
    for (const auto& [outcome, reaction] : send_reactions)
        EXPECT_TRUE(rows.insert(outcome).second) << name_of(outcome);
    EXPECT_EQ(rows.size(), enum_names<SendOutcome>.size());
}

TEST(SendReaction, UnknownResultDoesNotReduceTheWindow) {
    EXPECT_EQ(reaction_to(SendOutcome::unknown), SendReaction::back_off);
    EXPECT_EQ(reaction_to(SendOutcome::not_sent), SendReaction::nothing);
}

TEST(SendReaction, FullPoolAffectsAllLanesAndAccountLimitOnlyOne) {
    EXPECT_EQ(reaction_to(SendOutcome::pool_full), SendReaction::reduce_pool);
    EXPECT_EQ(reaction_to(SendOutcome::underpriced), SendReaction::reduce_pool);
    EXPECT_EQ(reaction_to(SendOutcome::account_limit), SendReaction::reduce_account);
    EXPECT_EQ(reaction_to(SendOutcome::nonce_too_high), SendReaction::reduce_account);
}

TEST(SendReaction, PriceAndBalanceDoNotReduceTheWindow) {
    EXPECT_EQ(reaction_to(SendOutcome::price_floor), SendReaction::reprice);
    EXPECT_EQ(reaction_to(SendOutcome::fee_below_base_fee), SendReaction::reprice);
    EXPECT_EQ(reaction_to(SendOutcome::insufficient_funds), SendReaction::wait_for_funds);
}

TEST(SendReaction, ReplacementOrMinedNonceHasNoReaction) {
    EXPECT_EQ(reaction_to(SendOutcome::replacement_underpriced), SendReaction::nothing);
    EXPECT_EQ(reaction_to(SendOutcome::nonce_too_low), SendReaction::nothing);
    EXPECT_EQ(reaction_to(SendOutcome::already_known), SendReaction::nothing);
}

}  // namespace
}  // namespace fencepost
