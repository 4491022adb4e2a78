// Posting JSON to a scripted server.
#include "jsonrpc/json_poster.hpp"

#include "rpc_site.hpp"

namespace fencepost::test {
namespace {

using jsonrpc::JsonPoster;
using jsonrpc::JsonPosterOptions;

JsonPosterOptions to(const RpcSite& site) {
    return {.url = *Url::parse(site.server.url() + "/hook"), .headers = {{"Authorization", "Bearer s3cret"}}};
}

Task<void> post_once(RpcSite* site) {
    JsonPoster poster(site->context.get_executor(), site->clock, to(*site));
    site->server.next({.mode = AnswerMode::http_status, .text = "thanks", .status = 202});
    HttpPost post{.body = R"({"kind":"PROTECT"})", .headers = {{"X-Own", "of this one"}}};
    EXPECT_EQ(co_await poster.post(std::move(post), enough), "thanks");
    const auto& request = site->server.received().at(0);
    EXPECT_EQ(request.target, "/hook");
    EXPECT_EQ(request.body, R"({"kind":"PROTECT"})");
    EXPECT_EQ(request.header("Content-Type"), "application/json");
    EXPECT_EQ(request.header("Authorization"), "Bearer s3cret");
    EXPECT_EQ(request.header("X-Own"), "of this one");
}
TEST(JsonPoster, PostsJsonWithHeadersAndReturnsAnswer) { play(post_once); }

Task<void> have_a_post_refused(RpcSite* site) {
    JsonPoster poster(site->context.get_executor(), site->clock, to(*site));
    for (const unsigned status : {302U, 400U, 500U}) {
        site->server.next({.mode = AnswerMode::http_status, .status = status});
        EXPECT_EQ(co_await poster.post({.body = "{}"}, enough), err(PostError::refused)) << status;
    }
    EXPECT_EQ(site->server.received().size(), 3U) << "nothing is sent twice, and no redirect followed";
}
TEST(JsonPoster, NonSuccessStatusIsRefusal) { play(have_a_post_refused); }

Task<void> get_no_answer(RpcSite* site) {
    JsonPoster poster(site->context.get_executor(), site->clock, to(*site));
    for (const auto mode : {AnswerMode::silence, AnswerMode::close, AnswerMode::reset, AnswerMode::huge_length}) {
        site->server.next({.mode = mode});
        EXPECT_EQ(co_await poster.post({.body = "{}"}, 200ms), err(PostError::unavailable));
    }
    site->server.go_down();
    EXPECT_EQ(co_await poster.post({.body = "{}"}, enough), err(PostError::unavailable));
}
TEST(JsonPoster, TimeoutIsUnavailable) { play(get_no_answer); }

}  // namespace
}  // namespace fencepost::test
