// Which answers agree, and which of them form a quorum.
#include "evm/endpoints/quorum.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace fencepost::evm {
namespace {

bool same(std::string_view a, std::string_view b) {
    return answers_agree(boost::json::parse(a), boost::json::parse(b));
}

TEST(AnswersAgree, CommonFieldsMustBeEqual) {
    EXPECT_TRUE(same(R"({"hash":"0x1","size":"0x5"})", R"({"hash":"0x1","mixHash":"0x0"})"));
    EXPECT_FALSE(same(R"({"hash":"0x1","size":"0x5"})", R"({"hash":"0x2"})"));
    EXPECT_FALSE(same(R"({"hash":"0x1"})", R"({"size":"0x1"})")) << "no common field";
    EXPECT_TRUE(same(R"({"logs":[{"a":1,"b":2}]})", R"({"logs":[{"a":1}]})"));
    EXPECT_FALSE(same(R"({"logs":[{"a":1}]})", R"({"logs":[]})"));
}

TEST(AnswersAgree, NullIsAnAnswer) {
    EXPECT_TRUE(same("null", "null"));
    EXPECT_FALSE(same("null", R"({"hash":"0x1"})"));
    EXPECT_FALSE(same(R"("0x1")", R"("0x2")"));
}

TEST(AgreedOn, IgnoresErrors) {
    const Answer error = err(jsonrpc::Error(jsonrpc::ErrorAnswer{-32000, "no", {}}));
    const std::vector<std::vector<Answer>> heard{{Json(1), error}, {Json(1), error}};
    EXPECT_EQ(agreed_on(heard, 0, 2), Json(1));
    EXPECT_EQ(agreed_on(heard, 1, 2), std::nullopt);
    EXPECT_FALSE(all_agreed(heard, 2, 2));
    EXPECT_TRUE(all_agreed(heard, 1, 2));
}

}  // namespace
}  // namespace fencepost::evm
