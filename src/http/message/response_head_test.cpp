#include "http/message/response_head.hpp"

#include <tuple>

#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

TEST(ResponseHead, DescribesBodyAndConnection) {
    Response response{.content_type = "text/plain", .body = "hello"};
    response.headers.add("Retry-After", "1");
    EXPECT_EQ(response_head(response, true, UnixTime(std::chrono::seconds(784111777))),
              "HTTP/1.1 200 OK\r\n"
              "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
              "Connection: keep-alive\r\n"
              "Content-Length: 5\r\n"
              "Content-Type: text/plain\r\n"
              "Retry-After: 1\r\n"
              "\r\n");
    EXPECT_NE(response_head(response, false, UnixTime{}).find("Connection: close\r\n"), std::string::npos);
}

TEST(ResponseHeadDeathTest, ALineBreakInAFieldAborts) {
    Response response;
    response.headers.add("Location", "/\r\nSet-Cookie: x");
    EXPECT_DEATH(std::ignore = response_head(response, true, UnixTime{}), "line break: Location");
}

}  // namespace
}  // namespace fencepost::http
