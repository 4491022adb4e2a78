#include "http/listen_address.hpp"

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

TEST(ListenAddress, RoundTrips) {
    for (const auto* text : {"127.0.0.1:8646", "localhost:0", "[::1]:65535", "[fe80::1%eth0]:80"}) {
        EXPECT_EQ(ListenAddress::parse(text)->to_string(), text);
    }
    EXPECT_EQ(ListenAddress::parse("[::1]:1"), (ListenAddress{.host = "::1", .port = 1}));
}

TEST(ListenAddress, ReportsWhyItIsInvalid) {
    EXPECT_EQ(ListenAddress::parse("localhost").error().what,
              "\"localhost\" has no port; write HOST:PORT, for example 127.0.0.1:8646 or [::1]:8646");
    for (const auto* text : {"",        ":",          "8646",    ":8646",   "host:",         "host:x", "host:-1",
                             "host:+1", "host:65536", "host:1 ", "host: 1", "::1:8646",      "[::1]",  "[::1]8646",
                             "[]:1",    "[host]:1",   "[::1:1",  "::1]:1",  "http://host:1", "a b:1"}) {
        EXPECT_FALSE(ListenAddress::parse(text)) << text;
    }
}

}  // namespace
}  // namespace fencepost::http
