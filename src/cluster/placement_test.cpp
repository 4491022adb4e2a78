#include "cluster/placement.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::cluster {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

SubmitterId submitter(std::uint64_t number) {
    Address address;
    for (std::size_t i = 0; i < sizeof(number); ++i)
        address.data[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return SubmitterId::evm(1, address);
}

std::vector<NodeId> nodes(std::size_t count) {
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.emplace_back(fmt::format("node-{}/{:016x}", i, i * 7919));
    return ids;
}

std::size_t some_count() { return *rc::gen::inRange<std::size_t>(1, 12); }

// Nodes of different versions must agree: this may never change.
TEST(PlacementRanks, OrderIsPinned) {
    const Placement placement({NodeId("a/1"), NodeId("b/2"), NodeId("c/3")});
    EXPECT_THAT(placement.ranked(submitter(1)), ElementsAre(NodeId("c/3"), NodeId("a/1"), NodeId("b/2")));
}

TEST(PlacementRanks, NoFirstNodeWithoutNodes) { EXPECT_EQ(Placement().first(submitter(1)), std::nullopt); }

RC_GTEST_PROP(PlacementRanks, RanksDoNotDependOnInputOrder, (std::uint64_t number)) {
    auto ids = nodes(some_count());
    const auto ranked = Placement(ids).ranked(submitter(number));
    RC_ASSERT(std::set(ranked.begin(), ranked.end()) == std::set(ids.begin(), ids.end()));
    RC_ASSERT(ranked.size() == ids.size());
    std::ranges::reverse(ids);
    RC_ASSERT(Placement(ids).ranked(submitter(number)) == ranked);
    RC_ASSERT(Placement(ids).first(submitter(number)) == ranked.front());
}

RC_GTEST_PROP(PlacementRanks, LeavingNodeKeepsTheOrderOfTheOthers, (std::uint64_t number)) {
    auto ids = nodes(some_count() + 1);
    auto before = Placement(ids).ranked(submitter(number));
    const auto leaves = ids[*rc::gen::inRange<std::size_t>(0, ids.size())];
    std::erase(ids, leaves);
    std::erase(before, leaves);
    RC_ASSERT(Placement(ids).ranked(submitter(number)) == before);
}

RC_GTEST_PROP(PlacementRanks, JoiningNodeMovesOnlyItsOwnShare, (std::uint64_t number)) {
    auto ids = nodes(some_count());
    const auto before = Placement(ids).first(submitter(number));
    const NodeId joins("new/0123456789abcdef");
    ids.push_back(joins);
    const auto after = Placement(ids).first(submitter(number));
    RC_ASSERT(after == before || after == joins);
}

TEST(PlacementRanks, DistributesEvenly) {
    constexpr std::size_t submitters = 10'000;
    for (const std::size_t count : {2U, 3U, 7U, 20U}) {
        const Placement placement(nodes(count));
        std::map<NodeId, double> share;
        for (std::uint64_t i = 0; i < submitters; ++i)
            share[*placement.first(submitter(i))] += static_cast<double>(count) / submitters;
        EXPECT_EQ(share.size(), count);
        for (const auto& [node, got] : share)
            EXPECT_NEAR(got, 1.0, 0.2) << node.value() << " of " << count;
    }
}

}  // namespace
}  // namespace fencepost::cluster
