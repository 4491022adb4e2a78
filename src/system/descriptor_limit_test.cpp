// The limit is raised to the hard limit.
#include "system/descriptor_limit.hpp"

#include <sys/resource.h>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(DescriptorLimit, IsRaisedToHardLimit) {
    const auto before = descriptor_limit();
    ASSERT_GT(before.most, 64U);
    rlimit low{.rlim_cur = 64, .rlim_max = before.most};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    EXPECT_EQ(descriptor_limit().now, 64U);
    raise_descriptor_limit();
    EXPECT_EQ(descriptor_limit().now, before.most);
    EXPECT_EQ(descriptor_limit().most, before.most);
    low.rlim_cur = before.now;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
}

}  // namespace
}  // namespace fencepost
