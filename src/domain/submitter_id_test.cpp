#include "domain/submitter_id.hpp"

#include <set>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

constexpr std::string_view canonical = "eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

TEST(SubmitterId, Failure14MixedCaseNeverMakesTwoSubmitters) {
    std::set<SubmitterId> submitters;
    for (const auto* text :
         {"eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
          "eip155:1:0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
          "eip155:01:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"}) {
        const auto id = SubmitterId::parse(text);
        ASSERT_TRUE(id) << id.error().what;
        submitters.insert(*id);
    }
    ASSERT_EQ(submitters.size(), 1U);
    EXPECT_EQ(submitters.begin()->to_string(), canonical);
}

TEST(SubmitterId, KnowsItsChainAndAddress) {
    const auto id = SubmitterId::parse(canonical).value();
    EXPECT_EQ(id.chain().to_string(), "eip155:1");
    EXPECT_EQ(id.chain().name_space(), "eip155");
    EXPECT_EQ(id.chain().evm_chain_id(), 1U);
    EXPECT_EQ(id.account(), "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
    EXPECT_EQ(id.to_display(), "eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    EXPECT_EQ(SubmitterId::evm(1, id.evm_address().value()), id);
}

TEST(SubmitterId, TheSameAddressOnTwoChainsIsTwoSubmitters) {
    EXPECT_NE(SubmitterId::parse(canonical),
              SubmitterId::parse("eip155:10:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"));
}

TEST(SubmitterId, AcceptsOtherChainFamiliesUnchanged) {
    const auto id =
        SubmitterId::parse("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv");
    ASSERT_TRUE(id) << id.error().what;
    EXPECT_EQ(id->account(), "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv");
    EXPECT_EQ(id->evm_address(), std::nullopt);
    EXPECT_EQ(id->to_display(), id->to_string());
}

TEST(SubmitterId, RejectsInvalidCaip10) {
    for (const auto* text :
         {"", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "eip155:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
          "eip155:one:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "eip155::0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
          "EIP155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeD",
          "eip155:-1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
          "eip155:18446744073709551616:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "cosmos:hub:", "cosmos:hub:a b",
          "a:b:c:d:e"}) {
        EXPECT_FALSE(SubmitterId::parse(text)) << text;
    }
}

}  // namespace
}  // namespace fencepost
