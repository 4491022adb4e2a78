#include "base/crypto/xoshiro256.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

// What the authors' C program prints for the state 1, 2, 3, 4.
TEST(Xoshiro256, MatchesTheReferenceSequence) {
    Xoshiro256 generator({1, 2, 3, 4});
    for (const std::uint64_t expected :
         {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL, 607988272756665600ULL,
          16172922978634559625ULL, 8476171486693032832ULL, 10595114339597558777ULL, 2904607092377533576ULL}) {
        EXPECT_EQ(generator.next(), expected);
    }
}

}  // namespace
}  // namespace fencepost
