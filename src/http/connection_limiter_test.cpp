#include "http/connection_limiter.hpp"

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

std::string owner(const char* address) { return owner_of(asio::ip::make_address(address)).to_string(); }

TEST(Load, AllAddressesOfANetworkOfIpv6AreOnePeer) {
    EXPECT_EQ(owner("2001:db8:1:2::1"), owner("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    EXPECT_NE(owner("2001:db8:1:2::1"), owner("2001:db8:1:3::1"));
}

TEST(Load, AnAddressOfIpv4IsAPeerOfItsOwnAlsoWhereIpv6IsListenedOn) {
    EXPECT_EQ(owner("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(owner("::ffff:192.0.2.1"), "192.0.2.1");
    EXPECT_NE(owner("::ffff:192.0.2.1"), owner("::ffff:192.0.2.2"));
}

}  // namespace
}  // namespace fencepost::http
