#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Assert, AbortsWithConditionAndMessage) {
    const int nonce = 7;
    EXPECT_DEATH(FP_ASSERT(nonce == 8, "nonce was {}", nonce), "assertion failed: nonce == 8: nonce was 7");
}

TEST(Assert, AppendsTheThreadsAssertionNote) {
    int seconds = 1;
    set_assertion_note([&seconds] { return fmt::format("after {} s", seconds); });
    seconds = 7;
    EXPECT_DEATH(FP_ASSERT(seconds == 1), "assertion failed: seconds == 1\n  after 7 s");
    set_assertion_note({});
}

TEST(Assert, DoesNotEvaluateTheMessageWhenTheConditionHolds) {
    int evaluated = 0;
    FP_ASSERT(true, "{}", ++evaluated);
    EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace fencepost
