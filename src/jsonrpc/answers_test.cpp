// Matching of answers, also of malformed and incomplete ones.
#include "jsonrpc/answers.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::jsonrpc {
namespace {

namespace json = boost::json;
using testing::Each;
using testing::ElementsAre;

constexpr std::size_t max_depth = 32;

// Each answer as a short text.
std::vector<std::string> matched(std::string_view text, std::size_t count, std::uint64_t first = 1) {
    std::vector<std::string> shown;
    for (const auto& answer : match_answers(text, {.first = first, .count = count}, max_depth, {})) {
        if (answer) {
            shown.push_back(json::serialize(*answer));
        } else if (const auto* const error = std::get_if<ErrorAnswer>(&answer.error())) {
            shown.push_back(fmt::format("error {} {}", error->code, error->message));
        } else {
            shown.emplace_back(name_of(std::get<Failure>(answer.error()).kind));
        }
    }
    return shown;
}

TEST(Answers, SingleCallIsObjectBatchIsArray) {
    const std::vector<Request> calls{{"a", {1, "x"}}, {"b\"", {}}};
    EXPECT_EQ(encode_calls(std::span(calls).first(1), 7), R"({"jsonrpc":"2.0","id":7,"method":"a","params":[1,"x"]})");
    EXPECT_EQ(encode_calls(calls, 7), R"([{"jsonrpc":"2.0","id":7,"method":"a","params":[1,"x"]},)"
                                      R"({"jsonrpc":"2.0","id":8,"method":"b\"","params":[]}])");
}

TEST(Answers, MatchByIdInAnyOrder) {
    EXPECT_THAT(
        matched(R"([{"id":3,"result":"c"},{"id":1,"result":null},{"id":2,"error":{"code":-3,"message":"no"}}])", 3),
        ElementsAre("null", "error -3 no", "\"c\""));
    EXPECT_THAT(matched(R"([{"id":18446744073709551615,"result":1}])", 1, 18446744073709551615U), ElementsAre("1"));
}

TEST(Answers, IgnoreOtherIds) {
    EXPECT_THAT(matched(R"([{"id":9,"result":9},5,null,{"id":"1","result":8},{"id":-1,"result":7},{"id":1,"result":1},
                            {"result":6},{"id":2,"result":2}])",
                        2),
                ElementsAre("1", "2"));
}

TEST(Answers, MissingOrDuplicateAffectOnlyThatCall) {
    EXPECT_THAT(matched(R"([{"id":1,"result":1},{"id":3,"result":3},{"id":3,"result":3}])", 3),
                ElementsAre("1", "malformed", "malformed"));
    EXPECT_THAT(matched("[]", 2), ElementsAre("malformed", "malformed"));
    EXPECT_THAT(matched(R"([{"id":1,"result":1},{"id":1,"result":1},{"id":1,"result":1}])", 1),
                ElementsAre("malformed"));
}

TEST(Answers, ResultWithErrorIsMalformed) {
    EXPECT_THAT(matched(R"({"id":1,"result":1,"error":{"code":1,"message":"x"}})", 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(R"({"id":1})", 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(R"({"id":1,"error":"text"})", 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(R"({"id":1,"error":{}})", 1), ElementsAre("malformed"));
}

TEST(Answers, AcceptNullForUnusedMember) {
    EXPECT_THAT(matched(R"({"id":1,"result":1,"error":null})", 1), ElementsAre("1"));
    EXPECT_THAT(matched(R"({"id":1,"result":null,"error":{"code":1,"message":"x"}})", 1), ElementsAre("error 1 x"));
}

TEST(Answers, BatchErrorAnswersEachCall) {
    EXPECT_THAT(matched(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}})", 3),
                Each("error -32600 batch too large"));
    EXPECT_THAT(matched(R"({"error":{"code":-32700,"message":"parse error"}})", 1), Each("error -32700 parse error"));
    // geth
    EXPECT_THAT(matched(R"([{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"batch too large"}}])", 3),
                Each("error -32600 batch too large"));
    EXPECT_THAT(matched(R"([{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"mine only"}}])", 2),
                ElementsAre("error -32000 mine only", "malformed"));
}

TEST(Answers, SingleCallAcceptsArrayOfOneButNoWrongId) {
    EXPECT_THAT(matched(R"([{"id":1,"result":1}])", 1), ElementsAre("1"));
    EXPECT_THAT(matched(R"({"id":2,"result":1})", 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(R"({"id":2,"error":{"code":1,"message":"x"}})", 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(R"({"id":1,"result":1})", 2), Each("malformed"));
}

TEST(Answers, KeepErrorData) {
    const auto answers =
        match_answers(R"({"id":1,"error":{"code":3,"message":"execution reverted","data":"0x08"}})", {}, max_depth, {});
    EXPECT_EQ(std::get<ErrorAnswer>(answers.front().error()).data, json::value("0x08"));
}

TEST(Answers, NonJsonRpcIsMalformed) {
    for (const auto* const text :
         {"", "<html>", "1", "\"x\"", "null", "{", "{}", "[[]]", "[1", "{\"id\":1,\"result\":1}x"})
        EXPECT_THAT(matched(text, 2), ElementsAre("malformed", "malformed")) << text;
}

TEST(Answers, LimitDepth) {
    const auto nested = [](std::size_t depth) {
        return R"({"id":1,"result":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    EXPECT_THAT(matched(nested(1'000'000), 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(nested(32), 1), ElementsAre("malformed"));
    EXPECT_THAT(matched(nested(30), 1), ElementsAre(std::string(30, '[') + std::string(30, ']')));
}

}  // namespace
}  // namespace fencepost::jsonrpc
