// What happens to a waiting request when its client disconnects.
#include "http/client_watch.hpp"

#include "http/test_site.hpp"

namespace fencepost::http {
namespace {

using namespace std::chrono_literals;
using namespace test;

constexpr auto get_wait = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr auto get_slow_one = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";

// Waits until the bell rings or its client disconnects.
Task<Response> wait_or_leave(Site* site, Request request) {
    site->slow_begun.notify();
    bool gone = false;
    request.client->when_gone([&] {
        gone = true;
        site->bell.notify();
    });
    co_await site->bell.wait();
    request.client->when_gone({});
    site->notes.emplace_back(gone ? "left" : "answered");
    co_return Response{.content_type = "text/plain", .body = gone ? "left" : "answered"};
}

// A client whose request waits.
Task<std::unique_ptr<TestClient>> waiting_client(Site* site, std::string next_request = {}) {
    site->router.add(
        {Method::get, "/wait", [site](Request request) { return wait_or_leave(site, std::move(request)); }});
    auto client = std::make_unique<TestClient>(site->context.get_executor());
    co_await client->connect(site->address);
    co_await client->send(get_wait + next_request);
    co_await site->slow_begun.wait();
    co_await site->clock.sleep_for(20ms);
    EXPECT_TRUE(site->notes.empty());
    co_return client;
}

Task<void> close_while_waiting(Site* site) {
    const auto client = co_await waiting_client(site);
    client->close();
    co_await until_connection_accepted(site);
    EXPECT_EQ(site->notes, std::vector<std::string>{"left"});
}
TEST(ClientWatch, NotifiesTheHandlerOnDisconnect) { play(close_while_waiting, {.max_connections = 1}); }

Task<void> close_one_direction(Site* site) {
    const auto client = co_await waiting_client(site);
    client->finish_sending();
    const auto answer = co_await client->receive();
    EXPECT_EQ(answer.body, "left") << "who still reads is answered with what there is";
    EXPECT_EQ(co_await client->receive_rest(), "") << "no further request is possible";
}
TEST(ClientWatch, AnswersAHalfClosedClientAtOnce) { play(close_one_direction); }

Task<void> pipeline_while_waiting(Site* site) {
    const auto client = co_await waiting_client(site);
    co_await client->send(get_livez);
    co_await site->clock.sleep_for(20ms);
    co_await client->send(get_livez);
    co_await site->clock.sleep_for(20ms);
    site->bell.notify();
    EXPECT_EQ((co_await client->receive()).body, "answered");
    EXPECT_EQ((co_await client->receive()).body, ok_body) << "what was read while it waited is lost";
    EXPECT_EQ((co_await client->receive()).body, ok_body);
}
TEST(ClientWatch, AnswersPipelinedRequestsAfterwards) { play(pipeline_while_waiting); }

Task<void> pipeline_and_close_one_direction(Site* site) {
    const auto client = co_await waiting_client(site, get_livez);
    client->finish_sending();
    EXPECT_EQ((co_await client->receive()).body, "left");
    EXPECT_EQ((co_await client->receive()).body, ok_body) << "it was asked for before the end";
    EXPECT_EQ(co_await client->receive_rest(), "");
}
TEST(ClientWatch, AnswersPipelinedRequestsBeforeAHalfClose) { play(pipeline_and_close_one_direction); }

Task<void> ask_again_afterwards(Site* site) {
    const auto client = co_await waiting_client(site);
    site->bell.notify();
    EXPECT_EQ((co_await client->receive()).body, "answered");
    co_await client->send(get_livez);
    EXPECT_EQ((co_await client->receive()).body, ok_body) << "the watch goes on reading";
}
TEST(ClientWatch, StopsWithItsRequest) { play(ask_again_afterwards); }

Task<void> close_one_direction_of_another(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send(get_slow_one);
    client.finish_sending();
    co_await site->slow_begun.wait();
    co_await site->clock.sleep_for(20ms);
    site->bell.notify();
    EXPECT_EQ((co_await client.receive()).body, "at last");
}
TEST(ClientWatch, IgnoresHandlersWithoutACallback) { play(close_one_direction_of_another); }

Task<void> stop_while_waiting(Site* site) {
    const auto client = co_await waiting_client(site);
    site->serving->cancel();
    EXPECT_EQ((co_await client->receive()).status(), 0);
}
TEST(ClientWatch, EndsWithTheServer) {
    ServerOptions options;
    options.time.drain = 20ms;
    play(stop_while_waiting, options);
}

}  // namespace
}  // namespace fencepost::http
