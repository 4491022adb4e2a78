#include "cli/waiting.hpp"

#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

Progress progress(Until until, const std::string& state, const std::string& sub_state = "null",
                  const std::string& receipt = "null") {
    const auto quoted = sub_state == "null" ? sub_state : "\"" + sub_state + "\"";
    return progress_of(
        *parse_document(R"({"state":")" + state + R"(","subState":)" + quoted + R"(,"receipt":)" + receipt + "}"),
        until);
}

TEST(Waiting, EndsWhenTheTransactionIsSettled) {
    for (const auto until : {Until::mined, Until::confirmed}) {
        EXPECT_EQ(progress(until, "CONFIRMED"), Progress::reached);
        EXPECT_EQ(progress(until, "FAILED_FINAL"), Progress::went_wrong);
        EXPECT_EQ(progress(until, "REJECTED"), Progress::went_wrong);
        EXPECT_EQ(progress(until, "CANCELLED"), Progress::went_wrong);
        EXPECT_EQ(progress(until, "QUEUED"), Progress::under_way);
        EXPECT_EQ(progress(until, "STUCK"), Progress::under_way);
        EXPECT_EQ(progress(until, "A_NEWER_STATE"), Progress::under_way);
    }
}

TEST(Waiting, EndsWhenMinedAndReportsARevert) {
    EXPECT_EQ(progress(Until::confirmed, "TRACKING", "MINED", R"({"succeeded":true})"), Progress::under_way);
    EXPECT_EQ(progress(Until::mined, "TRACKING", "MINED", R"({"succeeded":true})"), Progress::reached);
    EXPECT_EQ(progress(Until::mined, "TRACKING", "MINED", R"({"succeeded":false})"), Progress::went_wrong);
    EXPECT_EQ(progress(Until::mined, "TRACKING", "MINED"), Progress::reached);
    EXPECT_EQ(progress(Until::mined, "TRACKING", "FORKED"), Progress::under_way);
}

TEST(Waiting, DoesNotTakeAGapFillerForTheTransaction) {
    const auto progress_with = [](const std::string& more) {
        return progress_of(
            *parse_document(R"({"state":"TRACKING","subState":"MINED","receipt":{"succeeded":true},)" + more + "}"),
            Until::mined);
    };
    EXPECT_EQ(progress_with(R"("cancelling":false,"error":null)"), Progress::reached);
    EXPECT_EQ(progress_with(R"("cancelling":true,"error":null)"), Progress::under_way);
    EXPECT_EQ(progress_with(R"("cancelling":false,"error":{"code":"TIMEOUT"})"), Progress::under_way);
}

}  // namespace
}  // namespace fencepost::cli
