// Access control of every route, including routes that are added later.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class Access : public ApiTest {
protected:
    struct AnyRoute {
        http::Method method;
        std::string path;
    };
    /// All that there are, with this transaction and its submitter in their paths.
    std::vector<AnyRoute> every_route(const TxId& tx) const {
        std::vector<AnyRoute> all;
        for (const auto& line : router_.listing()) {
            const auto space = line.find(' ');
            auto path = line.substr(space + 1);
            replace(path, "{txId}", tx.value().to_string());
            replace(path, "{submitter}", alice.to_string());
            const bool is_get = line.substr(0, space) == "GET";
            EXPECT_TRUE(is_get || line.starts_with("POST")) << line;
            all.push_back({is_get ? http::Method::get : http::Method::post, path});
        }
        return all;
    }
    int status_of(const AnyRoute& route) { return ask({.method = route.method, .path = route.path}).status(); }

private:
    static void replace(std::string& text, std::string_view what, const std::string& with) {
        if (const auto at = text.find(what); at != std::string::npos) text.replace(at, what.size(), with);
    }
};

TEST_F(Access, UnauthenticatedRequestsGetOnlyReadyzAndOpenApi) {
    const auto tx = accepted("order-1");
    authenticator_.admits = false;
    for (const auto& route : every_route(tx)) {
        const bool is_open = route.path == "/readyz" || route.path == "/openapi.json";
        EXPECT_EQ(status_of(route), is_open ? 200 : 401) << route.path;
    }
}

TEST_F(Access, ReadScopeCannotPost) {
    const auto tx = accepted("order-1");
    authenticator_.caller.scope = Scope::read;
    for (const auto& route : every_route(tx)) {
        if (route.method == http::Method::post) {
            EXPECT_EQ(status_of(route), 403) << route.path;
        } else {
            EXPECT_NE(status_of(route), 403) << route.path;
        }
    }
}

TEST_F(Access, ForbidsOtherSubmittersOnEveryRoute) {
    const auto tx = accepted("order-1");
    authenticator_.caller.submitters = std::vector{bob};
    std::size_t tried = 0;
    for (const auto& route : every_route(tx)) {
        if (!route.path.contains(tx.value().to_string()) && !route.path.contains(alice.to_string())) continue;
        EXPECT_EQ(status_of(route), 403) << route.path;
        ++tried;
    }
    EXPECT_GE(tried, 15U);
    EXPECT_EQ(get(fmt::format("/api/v1/tx/{}?wait=1s", tx.value())).status(), 403);
    EXPECT_EQ(get(fmt::format("/api/v1/tx/by-request?submitter={}&requestId=order-1", alice)).status(), 403);
}

TEST_F(Access, ForbidsOnlyBatchItemsOfOtherSubmitters) {
    authenticator_.caller = {.name = "shop", .scope = Scope::write, .submitters = std::vector{bob}};
    const auto body = fmt::format(R"({{"items":[{},{}]}})", transfer("a"), transfer("b", 1, bob));
    const auto answer = post("/api/v1/tx/batch", body).json();
    EXPECT_EQ(answer.at("items").at(0).at("problem").at("type"), "urn:fencepost:problem:forbidden");
    EXPECT_EQ(answer.at("items").at(1).at("status"), 202);
    EXPECT_EQ(run(store_->list({})).value().size(), 1U);
}

TEST_F(Access, RejectsBodiesWithoutJsonContentType) {
    const auto tx = accepted("order-1");
    const auto act = fmt::format("/api/v1/tx/{}/cancel", tx.value());
    const auto pause = fmt::format("/api/v1/submitters/{}/pause", alice);
    for (const auto& path : {std::string("/api/v1/tx"), std::string("/api/v1/tx/batch"), act, pause}) {
        auto request = post_request(path, R"({"reason":"a form of a web page can send this"})");
        request.headers = {};
        request.headers.add("Content-Type", "text/plain");
        EXPECT_EQ(ask(std::move(request)).status(), 415) << path;
    }
    EXPECT_TRUE(run(store_->pending(alice)).value().empty());
}

}  // namespace
}  // namespace fencepost::api
