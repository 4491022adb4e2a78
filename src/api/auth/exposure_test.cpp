#include "api/auth/exposure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/startup_error.hpp"

namespace fencepost::api {
namespace {

using testing::HasSubstr;

std::string refusal(const Exposure& exposure) {
    try {
        std::ignore = check_exposure(exposure);
    } catch (const StartupError& error) {
        return error.what();
    }
    return "none";
}

TEST(Exposure, AllowsLoopbackWithoutKeys) {
    for (const auto* host : {"127.0.0.1", "::1", "localhost", "127.9.9.9"})
        EXPECT_EQ(check_exposure({.listen = {.host = host}}), std::nullopt) << host;
}

TEST(Exposure, RequiresKeysOrOpenToAllBeyondLoopback) {
    for (const auto* host : {"0.0.0.0", "::", "192.0.2.1", "example.org"}) {
        Exposure exposure{.listen = {.host = host}};
        EXPECT_THAT(refusal(exposure), HasSubstr("http.beyondLoopback")) << host;
        exposure.has_keys = true;
        EXPECT_THAT(refusal(exposure), HasSubstr("http.beyondLoopback")) << host;
        exposure = {.listen = {.host = host}, .beyond_loopback = true};
        EXPECT_THAT(refusal(exposure), HasSubstr("fencepost apikey new")) << host;
        exposure.open_to_all = true;
        EXPECT_EQ(refusal(exposure), "none") << host;
    }
}

TEST(Exposure, WarnsOfRiskySettings) {
    Exposure exposure{.listen = {.host = "0.0.0.0"}, .beyond_loopback = true, .open_to_all = true};
    EXPECT_THAT(check_exposure(exposure).value_or(""), HasSubstr("requires no keys"));
    exposure.has_keys = true;
    EXPECT_THAT(check_exposure(exposure).value_or(""), HasSubstr("unencrypted"));
    exposure.has_tls = true;
    EXPECT_EQ(check_exposure(exposure), std::nullopt);
}

}  // namespace
}  // namespace fencepost::api
