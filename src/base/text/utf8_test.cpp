#include "base/text/utf8.hpp"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

TEST(Utf8, AcceptsOnlyValidUtf8) {
    for (const auto* text : {"", "a", "é", "字", "🚀", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const auto* text : {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xc3", "\x80"})
        EXPECT_FALSE(is_utf8(text));
}

}  // namespace
}  // namespace fencepost
