// Variables inside values, and suggestions for mistyped names.
#include "config/sources/expand.hpp"

#include <gtest/gtest.h>

#include "base/text/nearest.hpp"

namespace fencepost::config {
namespace {

const Environment environment{{"USER", "bob"}, {"EMPTY", ""}, {"NESTED", "${USER}"}};

std::string expanded(std::string_view text) {
    std::set<std::string> used;
    const auto result = expand(text, environment, used);
    return result ? *result : "error: " + result.error();
}

TEST(Expand, ExpandsVariablesOnce) {
    EXPECT_EQ(expanded("a ${USER}/${USER}."), "a bob/bob.");
    EXPECT_EQ(expanded("${EMPTY}"), "");
    EXPECT_EQ(expanded("${NESTED}"), "${USER}");
    EXPECT_EQ(expanded("no dollar"), "no dollar");
}

TEST(Expand, ReadsTwoDollarSignsAsOne) {
    EXPECT_EQ(expanded("$$"), "$");
    EXPECT_EQ(expanded("$${USER}"), "${USER}");
    EXPECT_EQ(expanded("$$${USER}"), "$bob");
}

TEST(Expand, NamesAnUnsetVariable) {
    EXPECT_EQ(expanded("x${MISSING}"), "error: needs the environment variable MISSING, which is not set");
}

TEST(Expand, RejectsALoneDollarSign) {
    for (const auto* text : {"$", "$USER", "${", "${}", "${USER", "${A B}", "${1A}", "${USER:-x}", "5$"})
        EXPECT_TRUE(expanded(text).starts_with("error: has a $")) << text;
}

TEST(Nearest, SuggestsTheMistypedName) {
    const std::vector<std::string> names{"confirmations.required", "confirmations.staleReceiptTimeout",
                                         "lease.duration"};
    EXPECT_EQ(nearest("confirmations.requird", names), "confirmations.required");
    EXPECT_EQ(nearest("confirmation.required", names), "confirmations.required");
    EXPECT_EQ(nearest("confirmations.stale-receipt-timeout", names), "confirmations.staleReceiptTimeout");
    EXPECT_EQ(nearest("LEASE.DURATION", names), "lease.duration");
}

TEST(Nearest, FindsANameByItsSuffix) {
    EXPECT_EQ(nearest("nonce.lease.duration", {"lease.duration", "listen"}), "lease.duration");
    EXPECT_EQ(nearest("duration", {"lease.duration", "listen"}), "lease.duration");
}

TEST(Nearest, FindsNothingWithoutASimilarName) {
    EXPECT_EQ(nearest("colour", {"lease.duration", "listen"}), std::nullopt);
    EXPECT_EQ(nearest("", {"lease.duration"}), std::nullopt);
    EXPECT_EQ(nearest(std::string(100'000, 'a'), {"lease.duration"}), std::nullopt);
}

}  // namespace
}  // namespace fencepost::config
