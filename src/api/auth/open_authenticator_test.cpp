#include "api/auth/open_authenticator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::api {
namespace {

using testing::HasSubstr;

http::Request called_as(const std::string& host) {
    http::Request request;
    request.headers.add("Host", host);
    return request;
}
http::Request from_page(const std::string& origin, const std::string& host = "127.0.0.1:8646") {
    auto request = called_as(host);
    request.method = http::Method::post;
    request.headers.add("Origin", origin);
    return request;
}

TEST(OpenAuthenticator, AllowsLocalProgramsEverything) {
    OpenAuthenticator authenticator({.only_as = "127.0.0.1"});
    EXPECT_EQ(authenticator.admit({}, Scope::admin).value().scope, Scope::admin) << "HTTP/1.0 knows no Host";
    for (const auto* host : {"127.0.0.1:8646", "127.0.0.1", "127.4.5.6:1", "localhost:8646", "LocalHost", "[::1]:8646"})
        EXPECT_TRUE(authenticator.admit(called_as(host), Scope::admin)) << host;
}

TEST(OpenAuthenticator, RejectsDnsRebinding) {
    OpenAuthenticator authenticator({.only_as = "127.0.0.1"});
    for (const auto* host :
         {"evil.example:8646", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
          "127.evil.example:8646", "[::1", "[::1]x", "[2001:db8::1]:8646", "192.0.2.1", "[", ":", "", "0"}) {
        const auto refused = authenticator.admit(called_as(host), Scope::read);
        ASSERT_FALSE(refused) << host;
        EXPECT_EQ(refused.error().status, http::StatusCode::forbidden);
    }
    EXPECT_THAT(authenticator.admit(called_as("evil.example"), Scope::read).error().body, HasSubstr("Use 127.0.0.1"));
}

TEST(OpenAuthenticator, AcceptsTheListenHostName) {
    OpenAuthenticator authenticator({.only_as = "Wallet-Host"});
    EXPECT_TRUE(authenticator.admit(called_as("wallet-host:8646"), Scope::read));
    EXPECT_TRUE(authenticator.admit(called_as("localhost:8646"), Scope::read));
    EXPECT_FALSE(authenticator.admit(called_as("wallet-host.example"), Scope::read));
}

TEST(OpenAuthenticator, RejectsAnotherOrigin) {
    OpenAuthenticator authenticator({.only_as = "127.0.0.1"});
    for (const auto* origin : {"https://evil.example", "http://127.0.0.1", "http://127.0.0.1:8647",
                               "http://localhost:8646", "null", "", "http://", "127.0.0.1:8646"}) {
        const auto refused = authenticator.admit(from_page(origin), Scope::admin);
        ASSERT_FALSE(refused) << origin;
        EXPECT_EQ(refused.error().status, http::StatusCode::forbidden);
        EXPECT_THAT(refused.error().body, HasSubstr("foreign-origin"));
    }
    EXPECT_FALSE(authenticator.admit(from_page("https://x", ""), Scope::admin));
}

TEST(OpenAuthenticator, AcceptsTheSameOrigin) {
    OpenAuthenticator authenticator({.only_as = "127.0.0.1"});
    EXPECT_TRUE(authenticator.admit(from_page("http://127.0.0.1:8646"), Scope::admin));
    EXPECT_TRUE(authenticator.admit(from_page("https://LOCALHOST", "localhost"), Scope::admin)) << "TLS by a proxy";
}

TEST(OpenAuthenticator, BehindAProxyAcceptsAnyHostButNotAnotherOrigin) {
    OpenAuthenticator authenticator({});
    EXPECT_TRUE(authenticator.admit(called_as("wallet.example"), Scope::admin));
    EXPECT_TRUE(authenticator.admit(from_page("https://wallet.example", "wallet.example"), Scope::admin));
    EXPECT_FALSE(authenticator.admit(from_page("https://evil.example", "wallet.example"), Scope::admin));
}

}  // namespace
}  // namespace fencepost::api
