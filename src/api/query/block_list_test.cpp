#include "api/query/block_list.hpp"

#include <gtest/gtest.h>

namespace fencepost::api {
namespace {

BlockHash hash(std::uint8_t number, std::uint8_t branch) {
    BlockHash result;
    result.data[0] = number;
    result.data[1] = branch;
    return result;
}

BlockRef block(std::uint8_t number, std::uint8_t branch, std::uint8_t parent_branch) {
    return {BlockNumber(number), hash(number, branch), hash(static_cast<std::uint8_t>(number - 1), parent_branch)};
}

TEST(BlockList, FollowsTheLongestBranch) {
    const auto base = hash(10, 0);
    const std::vector seen{block(13, 1, 1), block(11, 0, 0), block(11, 1, 0), block(12, 1, 1),
                           block(12, 2, 2), block(13, 2, 2), block(14, 2, 2)};
    EXPECT_EQ(longest_branch(base, seen, 10), (std::vector{block(11, 1, 0), block(12, 1, 1), block(13, 1, 1)}));
    EXPECT_EQ(longest_branch(base, seen, 2).size(), 2U);
    EXPECT_TRUE(longest_branch(base, {}, 10).empty());
    EXPECT_TRUE(longest_branch(hash(14, 2), seen, 10).empty());
}

}  // namespace
}  // namespace fencepost::api
