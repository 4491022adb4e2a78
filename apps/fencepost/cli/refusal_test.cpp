#include "cli/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string problem(const std::string& kind, const std::string& detail, const std::string& more = "") {
    return R"({"type":"urn:fencepost:problem:)" + kind + R"(","title":"T","status":0,"detail":")" + detail + "\"" +
           more + "}";
}

TEST(Refusal, ShowsDetailFieldErrorsAndAdvice) {
    const ApiAnswer answer{.status = 422,
                           .body = problem("invalid-request", "The request cannot be taken.",
                                           R"(,"errors":[{"field":"payload.value","detail":"it is negative"}])")};
    EXPECT_EQ(explain_refusal(answer, "http://x"),
              "fencepost: The request cannot be taken.\n  payload.value: it is negative\n");
    EXPECT_EQ(explain_refusal({.status = 401, .body = problem("unauthorized", "No key")}, "http://x"),
              "fencepost: No key.\n  to do: set --key-file to the file with your API key, or set "
              "FENCEPOST_API_KEY to the key.\n");
}

TEST(Refusal, ShowsWhenToRetry) {
    const auto body = problem("rate-limited", "Too much.");
    EXPECT_THAT(explain_refusal({.status = 429, .body = body, .retry_after = std::chrono::milliseconds(1500)}, "x"),
                HasSubstr("to do: retry in 2 s."));
    EXPECT_THAT(explain_refusal({.status = 503, .body = body}, "x"), HasSubstr("to do: retry in a moment."));
    EXPECT_TRUE(is_retryable({.status = 429}));
    EXPECT_TRUE(is_retryable({.status = 503}));
    EXPECT_FALSE(is_retryable({.status = 409}));
}

TEST(Refusal, ReportsAResponseThatIsNotFencepost) {
    const auto text = explain_refusal({.status = 502, .body = "<html>\x1b[2J Bad gateway"}, "https://proxy:1");
    EXPECT_THAT(text, HasSubstr("https://proxy:1 answered with status 502, which is not a Fencepost response"));
    EXPECT_THAT(text, HasSubstr("check --url"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(explain_refusal({.status = 404, .body = R"({"type":"about:blank","detail":"x"})"}, "s"),
                HasSubstr("not a Fencepost response"));
}

TEST(Refusal, ReportsAnUnreachableServerWithAdvice) {
    const auto text =
        explain_no_answer({.kind = jsonrpc::Failure::Kind::unreachable, .what = "connection refused"}, "http://h:1");
    EXPECT_THAT(text, HasSubstr("http://h:1 cannot be reached: connection refused.\n"));
    EXPECT_THAT(text, HasSubstr("FENCEPOST_URL"));
}

TEST(ApiCall, EncodesEachPathSegment) {
    EXPECT_EQ(target_of({.path = {"tx"}}), "/api/v1/tx");
    EXPECT_EQ(target_of({.path = {"tx", "a/b?c", "history"}}), "/api/v1/tx/a%2Fb%3Fc/history");
    EXPECT_EQ(target_of({.path = {"submitters", "eip155:1:0xab"}}), "/api/v1/submitters/eip155:1:0xab");
    EXPECT_EQ(target_of({.path = {"tx"}, .query = {{"submitter", ""}, {"state", "A&B"}, {"limit", "5"}}}),
              "/api/v1/tx?state=A%26B&limit=5");
    EXPECT_EQ(target_of({.path = {"tx", "ä "}}), "/api/v1/tx/%C3%A4%20");
}

}  // namespace
}  // namespace fencepost::cli
