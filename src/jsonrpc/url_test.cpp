// Valid and invalid URLs, and texts without their secrets.
#include "jsonrpc/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::jsonrpc {
namespace {

using testing::HasSubstr;
using testing::Not;

Url parsed(std::string_view text) {
    auto url = Url::parse(text);
    EXPECT_TRUE(url.has_value()) << text << ": " << (url ? "" : url.error().what);
    return url.value_or(Url{});
}

TEST(Url, ParsesAllParts) {
    const auto url = parsed("https://node.example.org:8443/v3/key?x=1");
    EXPECT_EQ(url.scheme, Scheme::https);
    EXPECT_EQ(url.host, "node.example.org");
    EXPECT_EQ(url.port, 8443);
    EXPECT_EQ(url.target, "/v3/key?x=1");
    EXPECT_EQ(url.authorization, "");
    EXPECT_EQ(url.authority(), "node.example.org:8443");
}

TEST(Url, HasDefaults) {
    EXPECT_EQ(parsed("http://a").port, 80);
    EXPECT_EQ(parsed("https://a").port, 443);
    EXPECT_EQ(parsed("ws://a").port, 80);
    EXPECT_EQ(parsed("wss://a").port, 443);
    EXPECT_EQ(parsed("http://a").target, "/");
    EXPECT_EQ(parsed("http://a?k=v").target, "/?k=v");
    EXPECT_EQ(parsed("https://a:443").authority(), "a");
}

TEST(Url, ParsesIpAddresses) {
    EXPECT_EQ(parsed("http://[::1]:8545/x").host, "::1");
    EXPECT_EQ(parsed("http://[::1]:8545/x").authority(), "[::1]:8545");
    EXPECT_EQ(display_name(parsed("http://[::1]/x")), "http://[::1]:80");
    EXPECT_EQ(parsed("http://127.0.0.1:8545").host, "127.0.0.1");
}

TEST(Url, ConvertsCredentialsToHeader) {
    const auto url = parsed("http://us%40er:p%3Aw@host/");
    EXPECT_EQ(url.host, "host");
    EXPECT_EQ(url.authorization, "Basic dXNAZXI6cDp3");  // us@er:p:w
    EXPECT_EQ(parsed("http://user@host").authorization, "Basic dXNlcjo=");
}

TEST(Url, DisplayNameHidesSecrets) {
    const auto url = parsed("https://user:hunter2@rpc.example.org/v3/0123456789abcdef?token=tttttttt");
    EXPECT_EQ(display_name(url), "https://rpc.example.org:443");
}

TEST(Url, RejectsInvalidUrlWithoutQuotingIt) {
    for (const auto* const text : {"",
                                   "secret",
                                   "ftp://secret",
                                   "http:/secret",
                                   "http://",
                                   "http:///secret",
                                   "http://:80/secret",
                                   "http://secret:0",
                                   "http://secret:65536",
                                   "http://secret:8a",
                                   "http://secret:",
                                   "http://[secret]",
                                   "http://[::1",
                                   "http://[::1]secret",
                                   "http://a b/secret",
                                   "http://a/secret\r\nX: y",
                                   "http://a/#secret",
                                   "http://s\xc3\xa9secret/",
                                   "http://user:secret%zz@host/",
                                   "http://user:secret%4@host",
                                   "http://secret\\x/",
                                   "http://user:sec/ret@host:99999/",
                                   "HTTP//secret"}) {
        const auto url = Url::parse(text);
        ASSERT_FALSE(url.has_value()) << text;
        EXPECT_THAT(url.error().what, Not(HasSubstr("secret"))) << text;
        EXPECT_GT(url.error().what.size(), 20U);
    }
}

TEST(Excerpt, IsOneShortPrintableLineWithoutSecrets) {
    const auto url = parsed("https://user:hunter2@rpc.example.org/v3/0123456789abcdef?token=tttttttt");
    const auto secrets = secrets_of(url);
    const auto shown =
        excerpt("Cannot POST\r\n\t/v3/0123456789abcdef?token=tttttttt or 0123456789abcdef, tttttttt \x01" +
                    url.authorization + std::string(500, 'x'),
                secrets);
    EXPECT_THAT(shown, HasSubstr("Cannot POST *** or ***, *** Basic ***xxx"));
    EXPECT_LE(shown.size(), 130U);
    EXPECT_THAT(excerpt("\xff\xfe", {}), " ");
}

TEST(Excerpt, HidesSecretAtCutPosition) {
    const std::string key = "0123456789abcdef0123456789abcdef";
    const auto shown = excerpt(std::string(110, 'x') + key, {key});
    EXPECT_THAT(shown, Not(HasSubstr("0123")));
}

}  // namespace
}  // namespace fencepost::jsonrpc
