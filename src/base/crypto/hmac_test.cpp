#include "base/crypto/hmac.hpp"

#include <gtest/gtest.h>

#include "base/text/hex.hpp"

namespace fencepost {
namespace {

TEST(HmacTest, MatchesRfc4231Vectors) {
    EXPECT_EQ(to_hex(hmac_sha256(Bytes(20, 0x0b), as_bytes("Hi There"))),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(to_hex(hmac_sha256(as_bytes("Jefe"), as_bytes("what do ya want for nothing?"))),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(to_hex(hmac_sha256(Bytes(131, 0xaa), as_bytes("Test Using Larger Than Block-Size Key - Hash Key First"))),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace fencepost
