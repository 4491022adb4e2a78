// Valid, invalid and excessive Retry-After values.
#include "jsonrpc/retry_after.hpp"

#include <gtest/gtest.h>

namespace fencepost::jsonrpc {
namespace {

using namespace std::chrono_literals;

const UnixTime now = std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) + 8h + 49min;

TEST(RetryAfter, ParsesSeconds) {
    EXPECT_EQ(parse_retry_after("0", now), 0s);
    EXPECT_EQ(parse_retry_after("120", now), 120s);
}

TEST(RetryAfter, ParsesDate) {
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), 37s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), 0s);
}

TEST(RetryAfter, IsBounded) {
    EXPECT_EQ(parse_retry_after("86400", now), max_retry_after);
    EXPECT_EQ(parse_retry_after("99999999999999999999999999", now), max_retry_after);
    EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", now), max_retry_after);
    EXPECT_EQ(parse_retry_after("Sat, 01 Jan 0000 00:00:00 GMT", now), 0s);
}

TEST(RetryAfter, IsEmptyForOtherValues) {
    for (const auto* const text :
         {"", "-1", "1.5", "soon", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
          "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET"})
        EXPECT_FALSE(parse_retry_after(text, now)) << text;
}

}  // namespace
}  // namespace fencepost::jsonrpc
