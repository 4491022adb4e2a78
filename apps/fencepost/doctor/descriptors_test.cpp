#include <gtest/gtest.h>

#include "doctor/checks.hpp"

namespace fencepost::doctor {
namespace {

TEST(DescriptorCheck, WarnsWhenConnectionsExceedTheFileLimit) {
    config::Config config;
    config.server.max_connections = 1000;
    EXPECT_EQ(check_descriptors(config, {.now = 1024, .most = 65'536}).at(0).verdict, Verdict::good)
        << "serve raises it to the most";
    EXPECT_EQ(check_descriptors(config, {.now = 1024, .most = 1024}).at(0).verdict, Verdict::doubtful)
        << "the database must be reached, too";
    config.server.max_connections = 100'000;
    EXPECT_EQ(check_descriptors(config, {.now = 65'536, .most = 65'536}).at(0).verdict, Verdict::doubtful);
}

}  // namespace
}  // namespace fencepost::doctor
