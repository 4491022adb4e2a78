#include "base/time.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Time, WritesRfc3339InUtc) {
    EXPECT_EQ(to_rfc3339(UnixTime{}), "1970-01-01T00:00:00.000000Z");
    EXPECT_EQ(to_rfc3339(UnixTime(std::chrono::microseconds(1'794'778'886'000'123))), "2026-11-15T21:41:26.000123Z");
    EXPECT_EQ(to_rfc3339(UnixTime(std::chrono::seconds(951'782'399))), "2000-02-28T23:59:59.000000Z");
}

TEST(Time, FormatsMilliseconds) {
    EXPECT_EQ(to_rfc3339_milliseconds(UnixTime(std::chrono::microseconds(1'794'778'886'004'999))),
              "2026-11-15T21:41:26.004Z");
}

TEST(Time, ParsesRfc3339) {
    const UnixTime time(std::chrono::microseconds(1'794'778'886'120'000));
    for (const auto* text : {"2026-11-15T21:41:26.12Z", "2026-11-15t21:41:26.120000999z",
                             "2026-11-15T23:11:26.12+01:30", "2026-11-14T23:41:26.12-22:00"}) {
        EXPECT_EQ(parse_rfc3339(text), time) << text;
    }
    EXPECT_EQ(parse_rfc3339(to_rfc3339(time)), time);
    EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00Z"), UnixTime{});
}

TEST(Time, RejectsInvalidTimes) {
    for (const auto* text :
         {"", "tomorrow", "2026-11-15", "2026-11-15T21:41:26", "2026-11-15 21:41:26Z", "2026-02-29T00:00:00Z",
          "2026-11-15T24:00:00Z", "2026-11-15T21:41:26.Z", "2026-11-15T21:41:26.1234567890Z", "2026-11-15T21:41:26Zx",
          "2026-11-15T21:41:26+1:00", "1969-12-31T23:59:59Z", "-026-11-15T21:41:26Z", "2026-11-15T21:41:26+25:00"}) {
        EXPECT_FALSE(parse_rfc3339(text)) << text;
    }
}

}  // namespace
}  // namespace fencepost
