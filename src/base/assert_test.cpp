#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Assert, AbortsWithConditionAndMessage) {
    const int nonce = 7;
    EXPECT_DEATH(FP_ASSERT(nonce == 8, "nonce was {}", nonce), "assertion failed: nonce == 8: nonce was 7");
}

TEST(Assert, DoesNotEvaluateTheMessageWhenTheConditionHolds) {
    int evaluated = 0;
    FP_ASSERT(true, "{}", ++evaluated);
    EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace fencepost
