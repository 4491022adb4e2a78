#include "http/router.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace fencepost::http {
namespace {

Task<Response> echo(std::string name, Request request) {
    co_return Response{.content_type = "text/plain", .body = std::move(name) + " " + request.path};
}

Handler named(const std::string& name) {
    return [name](Request request) { return echo(name, std::move(request)); };
}

Response answer(const Router& router, Method method, std::string path) {
    asio::io_context context;
    Response response;
    Request request{.method = method, .path = std::move(path)};
    asio::co_spawn(context, router.answer(std::move(request)),
                   [&response](const std::exception_ptr&, Response r) { response = std::move(r); });
    context.run();
    return response;
}

Router two_paths() {
    Router router;
    router.add({Method::get, "/a", named("get")});
    router.add({Method::post, "/a", named("post")});
    router.add({Method::del, "/b", named("delete")});
    return router;
}

TEST(Router, ChoosesByPathAndMethod) {
    const auto router = two_paths();
    EXPECT_EQ(answer(router, Method::get, "/a").body, "get /a");
    EXPECT_EQ(answer(router, Method::post, "/a").body, "post /a");
    EXPECT_EQ(answer(router, Method::del, "/b").body, "delete /b");
}

TEST(Router, GetAnswersHead) { EXPECT_EQ(answer(two_paths(), Method::head, "/a").body, "get /a"); }

TEST(Router, AnUnknownPathIs404) {
    for (const auto* path : {"/", "/a/", "/A", "a", "/c", ""}) {
        EXPECT_EQ(answer(two_paths(), Method::get, path).status, StatusCode::not_found) << path;
    }
}

TEST(Router, AnUnknownMethodIs405AndNamesTheKnownOnes) {
    const auto router = two_paths();
    const auto response = answer(router, Method::put, "/a");
    EXPECT_EQ(response.status, StatusCode::method_not_allowed);
    EXPECT_EQ(response.headers.find("allow"), "GET, HEAD, POST");
    EXPECT_EQ(answer(router, Method::head, "/b").headers.find("Allow"), "DELETE");
    EXPECT_EQ(answer(router, Method::other, "/b").headers.find("Allow"), "DELETE");
}

Task<Response> tell_parameters(Request request) {
    std::string body;
    for (const auto& [name, value] : request.parameters)
        body += name + "=" + value + ";";
    co_return Response{.content_type = "text/plain", .body = std::move(body)};
}

Router with_parameters() {
    Router router;
    router.add({Method::get, "/tx/{txId}", tell_parameters});
    router.add({Method::get, "/tx/{txId}/history", tell_parameters});
    router.add({Method::get, "/tx/by-request", named("exact")});
    router.add({Method::get, "/a/{one}/b/{two}", tell_parameters});
    return router;
}

TEST(Router, BracesMatchOneSegment) {
    const auto router = with_parameters();
    EXPECT_EQ(answer(router, Method::get, "/tx/17").body, "txId=17;");
    EXPECT_EQ(answer(router, Method::get, "/tx/eip155:1:0xAa%20%2F/history").body, "txId=eip155:1:0xAa /;");
    EXPECT_EQ(answer(router, Method::get, "/a/1/b/2").body, "one=1;two=2;");
    EXPECT_EQ(answer(router, Method::get, "/tx/by-request").body, "exact /tx/by-request") << "the plain path first";
    for (const auto* path : {"/tx/", "/tx", "/tx//history", "/tx/17/", "/tx/17/other", "/tx/17/history/x", "/a/1/c/2"})
        EXPECT_EQ(answer(router, Method::get, path).status, StatusCode::not_found) << path;
    EXPECT_EQ(answer(router, Method::post, "/tx/17").headers.find("Allow"), "GET, HEAD");
}

TEST(Router, AnInvalidEncodingIs400) {
    for (const auto* path : {"/tx/%", "/tx/%2", "/tx/%zz", "/tx/%ff", "/tx/%00"})
        EXPECT_EQ(answer(with_parameters(), Method::get, path).status, StatusCode::bad_request) << path;
}

TEST(Router, ListsItsRoutes) {
    EXPECT_EQ(two_paths().listing(), (std::vector<std::string>{"DELETE /b", "GET /a", "POST /a"}));
}

TEST(RouterDeathTest, TwoHandlersForOneRouteAbort) {
    auto router = two_paths();
    EXPECT_DEATH(router.add({Method::get, "/a", named("again")}), "two handlers for GET /a");
}

}  // namespace
}  // namespace fencepost::http
