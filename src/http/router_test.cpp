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

TEST(RouterDeathTest, TwoHandlersForOneRouteAbort) {
    auto router = two_paths();
    EXPECT_DEATH(router.add({Method::get, "/a", named("again")}), "two handlers for GET /a");
}

}  // namespace
}  // namespace fencepost::http
