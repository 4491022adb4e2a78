#include "cluster/node_identity.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/seeded_random.hpp"

namespace fencepost::cluster {
namespace {

TEST(NodeIdentity, ConsistsOfNameAndIncarnation) {
    sim::SeededRandom random(1);
    const auto id = new_incarnation("eu-1", random).value();
    EXPECT_THAT(id.value(), testing::MatchesRegex("eu-1/[0-9a-f]{16}"));
}

TEST(NodeIdentity, EachProcessStartIsADifferentNode) {
    sim::SeededRandom random(1);
    std::set<NodeId> seen;
    for (int i = 0; i < 1000; ++i)
        seen.insert(new_incarnation("a", random).value());
    EXPECT_EQ(seen.size(), 1000U);
}

TEST(NodeIdentity, RejectsAmbiguousNames) {
    sim::SeededRandom random(1);
    for (const auto& name : {std::string(), std::string("a/b"), std::string("a b"), std::string("\xc3\xa4"),
                             std::string("a\n"), std::string(101, 'a')}) {
        const auto refused = new_incarnation(name, random);
        ASSERT_FALSE(refused.has_value()) << name;
        EXPECT_THAT(refused.error().what, testing::HasSubstr("1 to 100 printable characters"));
    }
    EXPECT_TRUE(new_incarnation(std::string(100, 'a'), random).has_value());
}

}  // namespace
}  // namespace fencepost::cluster
