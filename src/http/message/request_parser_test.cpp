#include "http/message/request_parser.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fencepost::http {
namespace {

constexpr RequestLimits small{.header_bytes = 200, .body_bytes = 20};

Result<RequestStage, RequestFault> parse(RequestParser& parser, std::string_view bytes) {
    parser.feed(bytes);
    return parser.advance();
}

IncomingRequest request_in(std::string_view bytes) {
    RequestParser parser(small);
    EXPECT_EQ(parse(parser, bytes).value(), RequestStage::complete) << bytes;
    return parser.take();
}

ProblemKind fault_in(std::string_view bytes) {
    RequestParser parser(small);
    const auto stage = parse(parser, bytes);
    EXPECT_FALSE(stage) << bytes;
    return stage ? ProblemKind::internal_error : stage.error().kind;
}

TEST(RequestParser, ReadsARequest) {
    const auto [request, keep_alive] =
        request_in("POST /api/v1/tx?wait=1&x=? HTTP/1.1\r\nHost: a\r\ncontent-LENGTH: 5\r\nX: 1\r\nx: 2\r\n\r\nhello");
    EXPECT_EQ(request.method, Method::post);
    EXPECT_EQ(request.path, "/api/v1/tx");
    EXPECT_EQ(request.query, "wait=1&x=?");
    EXPECT_EQ(request.body, "hello");
    EXPECT_EQ(request.headers.find("X"), "1");
    EXPECT_EQ(request.headers.count("X"), 2U);
    EXPECT_FALSE(request.headers.find("Y"));
    EXPECT_TRUE(keep_alive);
}

TEST(RequestParser, DetectsKeepAlive) {
    EXPECT_TRUE(request_in("GET / HTTP/1.1\r\nHost: a\r\n\r\n").keep_alive);
    EXPECT_FALSE(request_in("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").keep_alive);
    EXPECT_FALSE(request_in("GET / HTTP/1.0\r\n\r\n").keep_alive);
    EXPECT_TRUE(request_in("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keep_alive);
}

TEST(RequestParser, AcceptsTheAbsoluteForm) {
    EXPECT_EQ(request_in("GET http://a:1/b?c HTTP/1.1\r\nHost: a\r\n\r\n").request.path, "/b");
    EXPECT_EQ(request_in("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n").request.path, "/");
    EXPECT_EQ(request_in("GET /b://c/d HTTP/1.1\r\nHost: a\r\n\r\n").request.path, "/b://c/d");
}

TEST(RequestParser, ReportsTheStage) {
    RequestParser parser(small);
    EXPECT_EQ(parse(parser, "").value(), RequestStage::idle);
    EXPECT_EQ(parse(parser, "\r\n").value(), RequestStage::idle);
    EXPECT_EQ(parse(parser, "P").value(), RequestStage::header);
    EXPECT_EQ(parse(parser, "UT / HTTP/1.1\r\nHost: a\r\n").value(), RequestStage::header);
    EXPECT_EQ(parse(parser, "Content-Length: 2\r\n\r\n").value(), RequestStage::body);
    EXPECT_FALSE(parser.client_waits());
    EXPECT_EQ(parse(parser, "a").value(), RequestStage::body);
    EXPECT_EQ(parse(parser, "b").value(), RequestStage::complete);
    EXPECT_EQ(parser.take().request.body, "ab");
    EXPECT_EQ(parser.advance().value(), RequestStage::idle);
}

TEST(RequestParser, DetectsExpectContinue) {
    RequestParser parser(small);
    EXPECT_EQ(parse(parser, "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").value(),
              RequestStage::body);
    EXPECT_TRUE(parser.client_waits());
    EXPECT_EQ(parse(parser, "a").value(), RequestStage::body);
    EXPECT_FALSE(parser.client_waits());
}

TEST(RequestParser, RejectsMalformedHttp) {
    for (const auto* bytes :
         {"\x16\x03\x01\x02", "GARBAGE\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nHost a\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n",
          "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"}) {
        EXPECT_EQ(fault_in(bytes), ProblemKind::malformed_request) << bytes;
    }
}

TEST(RequestParser, RejectsRequestSmuggling) {
    for (const auto* fields :
         {"Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1\r\nTransfer-Encoding: chunked",
          "Transfer-Encoding: chunked\r\nContent-Length: 1", "Transfer-Encoding: gzip",
          "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: chunkedx",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
          "Transfer-Encoding: x123456\r\nTransfer-Encoding: chunked", "Host: b"}) {
        EXPECT_EQ(fault_in(fmt::format("POST / HTTP/1.1\r\nHost: a\r\n{}\r\n\r\n", fields)),
                  ProblemKind::malformed_request)
            << fields;
    }
    EXPECT_EQ(fault_in("GET / HTTP/1.1\r\n\r\n"), ProblemKind::malformed_request) << "no Host";
    EXPECT_EQ(fault_in("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), ProblemKind::malformed_request);
}

TEST(RequestParser, RejectsAnOversizedHeaderInAnyPieces) {
    EXPECT_EQ(fault_in("GET /" + std::string(200, 'a')), ProblemKind::header_too_large);
    EXPECT_EQ(fault_in("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(200, 'a') + "\r\n\r\n"),
              ProblemKind::header_too_large);

    RequestParser parser(small);
    auto stage = parse(parser, "GET / HTTP/1.1\r\n");
    int lines = 0;
    for (; stage && lines < 100; ++lines)
        stage = parse(parser, "X: 1\r\n");
    EXPECT_LT(lines, 40) << "a header sent line by line passes the limit";
    EXPECT_EQ(stage.error().kind, ProblemKind::header_too_large);

    const auto half = std::string(120, 'a');
    EXPECT_EQ(fault_in("GET /" + half + " HTTP/1.1\r\nHost: a\r\nX: " + half + "\r\n\r\n"),
              ProblemKind::header_too_large)
        << "the request line does not count";
}

TEST(RequestParser, AcceptsHeaderAndBodyOfExactlyTheLimit) {
    std::string header = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\nX: ";
    header += std::string(200 - header.size() - 4, 'a') + "\r\n\r\n";
    ASSERT_EQ(header.size(), small.header_bytes);
    EXPECT_EQ(request_in(header + std::string(20, 'b')).request.body.size(), 20U);
    EXPECT_EQ(fault_in("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 21\r\n\r\n"), ProblemKind::body_too_large);
}

TEST(RequestParser, ReadsABodyWhoseLastByteArrivesAlone) {
    RequestParser parser(RequestLimits{});
    parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na");
    EXPECT_EQ(parser.advance().value(), RequestStage::body);
    parser.feed("\r");
    ASSERT_EQ(parser.advance().value(), RequestStage::complete);
    EXPECT_EQ(parser.take().request.body, "a\r");
}

constexpr std::string_view chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n";

TEST(RequestParser, ReadsAChunkedBody) {
    const auto incoming =
        request_in(fmt::format("{}3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nHost: evil\r\nA: b\r\n\r\n", chunked));
    EXPECT_EQ(incoming.request.body, "abcde");
    EXPECT_FALSE(incoming.request.headers.find("A")) << "a trailer poses as a header field";
    EXPECT_EQ(incoming.request.headers.count("Host"), 1U);
}

// Beast asserts that the last chunk never comes in such pieces (see base/beast_impl.cpp).
TEST(RequestParser, ReadsAnEmptyChunkedBodyInAnyPieces) {
    RequestParser parser(RequestLimits{});
    parser.feed(chunked);
    for (const char one : std::string_view("0\r\n\r\n")) {
        EXPECT_EQ(parser.advance().value(), RequestStage::body);
        parser.feed({&one, 1});
    }
    ASSERT_EQ(parser.advance().value(), RequestStage::complete);
    EXPECT_EQ(parser.take().request.body, "");
}

TEST(RequestParser, RejectsAnOversizedChunkedBody) {
    EXPECT_EQ(fault_in(fmt::format("{}15\r\n", chunked)), ProblemKind::body_too_large);
    EXPECT_EQ(fault_in(fmt::format("{}ffffffffffffffff\r\n", chunked)), ProblemKind::body_too_large);
    EXPECT_EQ(fault_in(fmt::format("{}a\r\n0123456789\r\nb\r\n", chunked)), ProblemKind::body_too_large);
    EXPECT_EQ(fault_in(fmt::format("{}1;{}", chunked, std::string(300, 'x'))), ProblemKind::header_too_large);
    EXPECT_EQ(fault_in(fmt::format("{}0\r\nX: {}", chunked, std::string(300, 'x'))), ProblemKind::header_too_large);
    EXPECT_EQ(fault_in(fmt::format("{}xyz\r\n", chunked)), ProblemKind::malformed_request);
}

// What a parser makes of the bytes when they arrive in pieces of the given sizes, as one text that can be compared.
std::string outcome(std::string_view bytes, const std::vector<std::uint8_t>& sizes) {
    RequestParser parser(small);
    std::string result;
    for (std::size_t i = 0; !bytes.empty();) {
        const std::size_t size = i < sizes.size() ? sizes[i++] % 16U + 1 : bytes.size();
        parser.feed(bytes.substr(0, size));
        bytes.remove_prefix(std::min(size, bytes.size()));
        auto stage = parser.advance();
        for (; stage && *stage == RequestStage::complete; stage = parser.advance()) {
            const auto [request, keep_alive] = parser.take();
            result += fmt::format("{} {} {} {};", to_string(request.method), request.path, request.body, keep_alive);
        }
        if (!stage) return result + "fault";
    }
    return result;
}

RC_GTEST_PROP(RequestParserProperty, PipelinedRequestsDoNotDependOnTheirPieces,
              (const std::vector<std::uint8_t>& sizes)) {
    const std::string bytes = fmt::format(
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n\r\nPUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz"
        "{}2\r\nab\r\n1\r\nc\r\n0\r\n\r\nGET /d HTTP/1.0\r\n\r\n",
        chunked);
    RC_ASSERT(outcome(bytes, sizes) == "GET /a  true;PUT /b xyz true;POST / abc true;GET /d  false;");
}

RC_GTEST_PROP(RequestParserProperty, DamagedRequestsDoNotDependOnTheirPieces,
              (const std::vector<std::uint8_t>& sizes, std::uint16_t where, char damage)) {
    std::string bytes = fmt::format("GET /a HTTP/1.1\r\nHost: a\r\n\r\n{}2\r\nab\r\n0\r\nA: b\r\n\r\n", chunked);
    bytes[where % bytes.size()] = damage;
    RC_ASSERT(outcome(bytes, sizes) == outcome(bytes, {}));
}

}  // namespace
}  // namespace fencepost::http
