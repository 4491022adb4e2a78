// Which texts can be stored, and how others are sanitised.
#include "store/text_check.hpp"

#include <gtest/gtest.h>

namespace fencepost::store {
namespace {

TEST(TextCheck, AcceptsUtf8) {
    for (const std::string text :
         {"a", "payout-2026-11-15/7", "überweisung", "支付", "\xf0\x9f\x92\xb8", "\xed\x9f\xbf"}) {
        EXPECT_EQ(storability_error(text), "") << text;
    }
    EXPECT_EQ(storability_error(std::string(256, 'x')), "");
}

TEST(TextCheck, RejectsTextThatDatabasesReject) {
    for (const auto& text :
         {std::string(), std::string(257, 'x'), std::string("a\0b", 3), std::string("\xff"), std::string("\xc0\x80"),
          std::string("\xe0\x80\x80"), std::string("\xed\xa0\x80"), std::string("\xf4\x90\x80\x80"),
          std::string("\xe2\x82"), std::string("\x80"), std::string("a\xc3(")}) {
        EXPECT_NE(storability_error(text), "") << text;
    }
}

TEST(TextCheck, SanitisesAnyText) {
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(storable("plain, \xc3\xbc"), "plain, \xc3\xbc");
    EXPECT_EQ(storable(std::string("a\xff") + "b"), "a" + mark + "b");
    EXPECT_EQ(storable(std::string("a\0b", 3)), "a" + mark + "b");
    EXPECT_EQ(storable("\xe2\x82"), mark + mark);
    EXPECT_EQ(storability_error(storable("\xed\xa0\x80")), "");
}

}  // namespace
}  // namespace fencepost::store
