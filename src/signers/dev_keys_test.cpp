// Plain keys are accepted in development mode only.
#include "signers/dev_keys.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/startup_error.hpp"
#include "signers/test_transactions.hpp"

namespace fencepost::signers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string refusal(const std::string& text, bool dev) {
    try {
        (void)dev_keys(Secret(text), dev);
    } catch (const StartupError& error) {
        return error.what();
    }
    return "not refused";
}

TEST(DevKeys, RefusesKeysOutsideDevelopmentMode) {
    EXPECT_THAT(refusal(std::string(test_key), false),
                AllOf(HasSubstr("refused without --dev"), Not(HasSubstr("ac09"))));
}

TEST(DevKeys, ReadsKeysInDevelopmentMode) {
    const auto keys = dev_keys(Secret("0x" + std::string(test_key) + ", " + std::string(other_test_key) + "\n"), true);
    ASSERT_EQ(keys.size(), 2);
    EXPECT_EQ(keys[0].address(), key_of(test_key).address());
    EXPECT_EQ(keys[1].address(), key_of(other_test_key).address());
}

TEST(DevKeys, NamesInvalidKeyByNumberOnly) {
    const auto cut = std::string(other_test_key).substr(0, 62);
    EXPECT_THAT(refusal(std::string(test_key) + "," + cut, true),
                AllOf(HasSubstr("plain key number 2 is not a key"), Not(HasSubstr("59c6"))));
}

TEST(DevKeys, RequiresAtLeastOneKey) { EXPECT_THAT(refusal(" ,\n", true), HasSubstr("the list is empty")); }

}  // namespace
}  // namespace fencepost::signers
