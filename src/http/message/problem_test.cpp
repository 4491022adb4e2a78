#include "http/message/problem.hpp"

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

TEST(Problem, IsADocumentOfRfc9457) {
    const auto response = problem(ProblemKind::not_found, "There is no /x.");
    EXPECT_EQ(response.status, StatusCode::not_found);
    EXPECT_EQ(response.content_type, "application/problem+json");
    EXPECT_EQ(response.body, R"({"type":"urn:fencepost:problem:not-found","title":"The resource does not exist",)"
                             R"("status":404,"detail":"There is no /x."})");
}

TEST(Problem, EscapesWhatJsonReserves) {
    const auto response = problem(ProblemKind::not_found, "a\"b\\c\r\n\x01 é");
    EXPECT_TRUE(response.body.ends_with(R"("detail":"a\"b\\c\u000d\u000a\u0001 é"})")) << response.body;
}

TEST(Problem, ListsFieldErrors) {
    const auto response =
        problem(ProblemKind::invalid_request, "two fields", {{"a.b", "is \"odd\""}, {"c", "is missing"}});
    EXPECT_TRUE(response.body.ends_with(R"("detail":"two fields","errors":[{"field":"a.b","detail":"is \"odd\""},)"
                                        R"({"field":"c","detail":"is missing"}]})"))
        << response.body;
}

TEST(Problem, NamesItsSubject) {
    const auto response = problem_about(ProblemKind::request_id_reused, "Another one.", "txId", "0\"1");
    EXPECT_TRUE(response.body.ends_with(R"("status":422,"detail":"Another one.","txId":"0\"1"})")) << response.body;
}

TEST(Problem, SetsRetryAfter) {
    const auto response = temporary_problem(ProblemKind::overloaded, "Ask again.", std::chrono::seconds(3));
    EXPECT_EQ(response.status, StatusCode::service_unavailable);
    EXPECT_EQ(response.headers.find("retry-after"), "3");
}

}  // namespace
}  // namespace fencepost::http
