#include "base/time.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Time, WritesRfc3339InUtc) {
    EXPECT_EQ(to_rfc3339(UnixTime{}), "1970-01-01T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(UnixTime(std::chrono::microseconds(1'794'778'886'000'123))), "2026-11-15T21:41:26.000123Z");
    EXPECT_EQ(to_rfc3339(UnixTime(std::chrono::seconds(951'782'399))), "2000-02-28T23:59:59.000000Z");
}

}  // namespace
}  // namespace fencepost
