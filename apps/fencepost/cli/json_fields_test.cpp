#include "cli/json_fields.hpp"

#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

json::value document(std::string_view text) { return *parse_document(text); }

TEST(JsonFields, ReadsPresentFieldsOnly) {
    const auto answer = document(R"({"a":{"b":["x",7,true,null,1.5]},"n":null})");
    EXPECT_EQ(text_at(answer, "/a/b/0"), "x");
    EXPECT_EQ(text_at(answer, "/a/b/1"), "7");
    EXPECT_EQ(text_at(answer, "/a/b/2"), "yes");
    EXPECT_EQ(text_at(answer, "/a/b/3"), "");
    EXPECT_EQ(text_at(answer, "/a/b/4"), "1.5");
    EXPECT_EQ(text_at(answer, "/a/b/9"), "");
    EXPECT_EQ(text_at(answer, "/n/deeper"), "");
    EXPECT_EQ(text_at(document("7"), "/a"), "");
    EXPECT_EQ(array_at(answer, "/a/b").size(), 5U);
    EXPECT_TRUE(array_at(answer, "/a").empty());
    EXPECT_EQ(bool_at(answer, "/a/b/1"), std::nullopt);
}

TEST(JsonFields, EscapesControlCharacters) {
    EXPECT_EQ(text_at(document(R"({"a":"one\u001b[2Jtwo\nthree"})"), "/a"), "one\ufffd[2Jtwo\ufffdthree");
}

TEST(JsonFields, ReportsInvalidJson) {
    EXPECT_TRUE(parse_document("<html>").error().what.starts_with("invalid JSON"));
    EXPECT_FALSE(parse_document(""));
    EXPECT_FALSE(parse_document(std::string(100'000, '[')));
}

TEST(JsonFields, PrintsExactAmountsInReadableUnits) {
    const auto shown = [](const std::string& wei) { return amount_at(document("{\"v\":\"" + wei + "\"}"), "/v"); };
    EXPECT_EQ(shown("0"), "0 wei");
    EXPECT_EQ(shown("21000"), "21000 wei");
    EXPECT_EQ(shown("1500000000"), "1.5 gwei");
    EXPECT_EQ(shown("1000000000000000000"), "1 ether");
    EXPECT_EQ(shown("10000000000000001"), "0.010000000000000001 ether");
    EXPECT_EQ(shown("123000000000000000000"), "123 ether");
    EXPECT_EQ(shown("many"), "many");
}

}  // namespace
}  // namespace fencepost::cli
