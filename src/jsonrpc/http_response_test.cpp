// Responses in pieces of any size, truncated, oversized or not HTTP.
#include "jsonrpc/http_response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::jsonrpc {
namespace {

using testing::HasSubstr;

constexpr std::size_t max_body = 100;

// Byte by byte, to cover every prefix.
Result<HttpResponse, Failure> read_slowly(std::string_view bytes, bool ends = false) {
    ResponseParser parser(max_body);
    for (const char& byte : bytes) {
        const auto complete = parser.feed({&byte, 1});
        if (!complete) return err(complete.error());
        if (*complete) return parser.take();
    }
    if (!ends) return err(Failure{.kind = Failure::Kind::timed_out});
    const auto ended = parser.end();
    if (!ended) return err(ended.error());
    return parser.take();
}

Result<HttpResponse, Failure> read_at_once(std::string_view bytes) {
    ResponseParser parser(max_body);
    const auto complete = parser.feed(bytes);
    if (!complete) return err(complete.error());
    if (!*complete) return err(Failure{.kind = Failure::Kind::timed_out});
    return parser.take();
}

TEST(HttpResponse, ReadsInPiecesOfAnySize) {
    constexpr auto text = "HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nhello";
    for (const auto& response : {read_slowly(text), read_at_once(text)}) {
        ASSERT_TRUE(response);
        EXPECT_EQ(response->status, 429U);
        EXPECT_EQ(response->body, "hello");
        EXPECT_EQ(response->retry_after, "7");
        EXPECT_TRUE(response->keep_alive);
    }
}

TEST(HttpResponse, ReadsChunkedEncoding) {
    constexpr auto text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";
    for (const auto& response : {read_slowly(text), read_at_once(text)}) {
        ASSERT_TRUE(response);
        EXPECT_EQ(response->body, "hello");
    }
}

TEST(HttpResponse, SkipsInformationalResponses) {
    constexpr auto text =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
        "2\r\n\r\nhi";
    for (const auto& response : {read_slowly(text), read_at_once(text)}) {
        ASSERT_TRUE(response);
        EXPECT_EQ(response->status, 200U);
        EXPECT_EQ(response->body, "hi");
    }
}

TEST(HttpResponse, WithoutLengthEndsWithConnection) {
    const auto response = read_slowly("HTTP/1.0 200 OK\r\n\r\nhello", true);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "hello");
    EXPECT_FALSE(response->keep_alive);
}

TEST(HttpResponse, TruncatedResponseFails) {
    const auto half = read_slowly("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", true);
    ASSERT_FALSE(half);
    EXPECT_EQ(half.error().kind, Failure::Kind::unreachable);
    EXPECT_THAT(half.error().what, HasSubstr("in the middle"));
    const auto nothing = read_slowly("", true);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().kind, Failure::Kind::unreachable);
    EXPECT_THAT(nothing.error().what, HasSubstr("before a response"));
    EXPECT_EQ(read_slowly("HTTP/1.1 200", true).error().kind, Failure::Kind::unreachable);
}

TEST(HttpResponse, OversizedResponseFailsEarly) {
    for (const auto& text : {std::string("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"),
                             "HTTP/1.1 200 OK\r\n\r\n" + std::string(101, 'x'),
                             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x')}) {
        for (const auto& response : {read_slowly(text), read_at_once(text)}) {
            ASSERT_FALSE(response);
            EXPECT_EQ(response.error().kind, Failure::Kind::malformed);
            EXPECT_THAT(response.error().what, HasSubstr("longer than 100 bytes"));
        }
    }
}

TEST(HttpResponse, EndlessHeaderFails) {
    const auto response = read_at_once("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'));
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().kind, Failure::Kind::malformed);
    EXPECT_EQ(read_slowly("HTTP/1.1 200 OK\r\nX: " + std::string(20'000, 'x')).error().kind, Failure::Kind::malformed);
}

TEST(HttpResponse, NonHttpFails) {
    for (const auto* const text : {"SSH-2.0-OpenSSH_9.2\r\n", "{\"jsonrpc\":\"2.0\"}", "HTTP/2 200\r\n\r\n"}) {
        const auto response = read_at_once(text);
        ASSERT_FALSE(response);
        EXPECT_EQ(response.error().kind, Failure::Kind::malformed) << text;
    }
}

TEST(HttpResponse, SurplusBytesEndConnection) {
    const auto response = read_at_once("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\n");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "hi");
    EXPECT_FALSE(response->keep_alive);
}

}  // namespace
}  // namespace fencepost::jsonrpc
