#include "http/message/query.hpp"

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

TEST(Query, ReadsNamesAndValues) {
    const auto query = Query::parse("submitter=eip155%3A1%3A0xaa&text=a+b%2Bc&flag&empty=").value();
    EXPECT_EQ(query.find("submitter"), "eip155:1:0xaa");
    EXPECT_EQ(query.find("text"), "a b+c");
    EXPECT_EQ(query.find("flag"), "");
    EXPECT_EQ(query.find("empty"), "");
    EXPECT_EQ(query.find("other"), std::nullopt);
    EXPECT_EQ(Query::parse("").value().find(""), std::nullopt);
}

TEST(Query, RejectsAmbiguousInput) {
    for (const auto* text : {"a=%", "a=%4", "a=%g1", "%ff=1", "a=%00", "=1", "a=1&a=2", "a=%ed%a0%80"})
        EXPECT_FALSE(Query::parse(text)) << text;
}

}  // namespace
}  // namespace fencepost::http
