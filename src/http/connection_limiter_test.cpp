#include "http/connection_limiter.hpp"

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

std::string owner(const char* address) { return peer_of(asio::ip::make_address(address)).to_string(); }

TEST(ConnectionLimiter, CountsAnIpv6NetworkAsOnePeer) {
    EXPECT_EQ(owner("2001:db8:1:2::1"), owner("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    EXPECT_NE(owner("2001:db8:1:2::1"), owner("2001:db8:1:3::1"));
}

TEST(ConnectionLimiter, CountsAMappedIpv4AddressAsItsOwnPeer) {
    EXPECT_EQ(owner("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(owner("::ffff:192.0.2.1"), "192.0.2.1");
    EXPECT_NE(owner("::ffff:192.0.2.1"), owner("::ffff:192.0.2.2"));
}

}  // namespace
}  // namespace fencepost::http
