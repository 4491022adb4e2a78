// The limits of a server under many clients, and how it refuses the rest.
#include <deque>
#include <memory>
#include <string>

#include "http/server.hpp"
#include "http/test_site.hpp"

namespace fencepost::http {
namespace {

using namespace std::chrono_literals;
using namespace test;
using testing::HasSubstr;

constexpr auto get_slow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";

Task<int> status_from(Site* site, std::string from) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address, std::move(from));
    co_await client.send(get_livez);
    co_return (co_await client.receive()).status();
}

Task<void> open_too_many_from_one_peer(Site* site) {
    std::deque<TestClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(site->context.get_executor());
        co_await clients.back().connect(site->address);
    }
    EXPECT_EQ(co_await status_from(site, "127.0.0.1"), 503);
    EXPECT_EQ(co_await status_from(site, "127.0.0.2"), 200) << "another client is kept out";
    clients.pop_front();
    co_await until_connection_accepted(site);
}

TEST(ServerLoad, OneClientCannotTakeAllConnections) {
    play(open_too_many_from_one_peer, {.max_connections = 5, .max_connections_per_peer = 3});
}

// Whether it was quick enough: who is refused is listened to for a second, and then makes room for the next.
Task<bool> stay_when_refused(Site* site) {
    constexpr std::size_t told_at_once = 64;
    std::deque<TestClient> clients;
    const auto begun = site->clock.monotonic();
    for (std::size_t i = 0; i < 1 + told_at_once; ++i) {
        clients.emplace_back(site->context.get_executor());
        co_await clients.back().connect(site->address);
    }
    const auto told = (co_await clients.back().receive()).status();
    const auto one_too_many = co_await status_from(site, "127.0.0.1");
    if (site->clock.monotonic() - begun > 900ms) co_return false;
    EXPECT_EQ(told, 503);
    EXPECT_EQ(one_too_many, 0) << "those who are told why take places without end";
    co_return true;
}

Task<void> stay_when_refused_until_quick_enough(Site* site) {
    while (!co_await stay_when_refused(site))
        co_await until_connection_accepted(site);
}

TEST(ServerLoad, ClosesExcessConnectionsWithoutAnAnswer) {
    play(stay_when_refused_until_quick_enough, {.max_connections = 1});
}

Task<void> ask_for_too_much_at_once(Site* site) {
    TestClient busy(site->context.get_executor());
    co_await busy.connect(site->address);
    co_await busy.send(get_slow);
    co_await site->slow_begun.wait();

    TestClient other(site->context.get_executor());
    co_await other.connect(site->address);
    co_await other.send(get_slow);
    const auto refused = co_await other.receive();
    EXPECT_EQ(refused.status(), 503);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    EXPECT_EQ(refused.field("Connection"), "keep-alive");
    EXPECT_THAT(refused.body, HasSubstr("urn:fencepost:problem:overloaded"));
    co_await other.send(get_livez);
    EXPECT_EQ((co_await other.receive()).status(), 200) << "a busy server looks dead";

    site->bell.notify();
    EXPECT_EQ((co_await busy.receive()).status(), 200);
    co_await other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ((co_await other.receive()).status(), 200) << "what is answered is still counted";
}

TEST(ServerLoad, RefusesRequestsOverTheLimitExceptHealthChecks) { play(ask_for_too_much_at_once, {.max_requests = 1}); }

std::string post_of(std::size_t size) {
    return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n";
}

Task<void> send_too_much_at_once(Site* site) {
    constexpr std::size_t large = 200'000;
    TestClient first(site->context.get_executor());
    co_await first.connect(site->address);
    co_await first.send(post_of(large) + padding(large - 1));
    co_await site->clock.sleep_for(20ms);

    TestClient second(site->context.get_executor());
    co_await second.connect(site->address);
    co_await second.send(post_of(large) + padding(large));
    const auto refused = co_await second.receive();
    EXPECT_EQ(refused.status(), 503);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    EXPECT_EQ((co_await ask(site, post_of(1'000) + padding(1'000))).status(), 200) << "small ones are kept out, too";

    co_await first.send("x");
    EXPECT_EQ((co_await first.receive()).body.size(), large);
    EXPECT_EQ((co_await ask(site, post_of(large) + padding(large))).status(), 200) << "what was taken is still counted";
}

TEST(ServerLoad, OnlyLargeBodiesShareABudget) { play(send_too_much_at_once, {.max_large_body_bytes = 250'000}); }

Task<Answer> answer_from(Site* site, std::string from, std::string bytes) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address, std::move(from));
    co_await client.send(std::move(bytes));
    co_return co_await client.receive();
}

Task<void> stall_many_large_ones(Site* site) {
    constexpr std::size_t large = 200'000;
    std::deque<TestClient> stalled;
    for (int i = 0; i < 5; ++i) {
        stalled.emplace_back(site->context.get_executor());
        co_await stalled.back().connect(site->address, "127.0.0.1");
        co_await stalled.back().send(post_of(large) + padding(large - 1));
        co_await site->clock.sleep_for(20ms);
    }
    const auto request = post_of(large) + padding(large);
    EXPECT_EQ((co_await answer_from(site, "127.0.0.1", request)).status(), 503);
    EXPECT_EQ((co_await answer_from(site, "127.0.0.2", request)).status(), 200) << "one client keeps all others out";
}

TEST(ServerLoad, OneClientCannotTakeTheWholeBudgetOfLargeBodies) {
    play(stall_many_large_ones, {.max_large_body_bytes = 600'000, .request = {.body_bytes = 200'000}});
}

Task<Response> tell_peer(Request request) {
    co_return Response{.content_type = "text/plain", .body = request.peer + "|" + request.client_certificate};
}

Task<void> ask_who_i_am(Site* site) {
    site->router.add({Method::get, "/peer", tell_peer});
    EXPECT_EQ((co_await ask(site, "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n")).body, "127.0.0.1|");
}

TEST(ServerLoad, HandlersSeeThePeerAddress) { play(ask_who_i_am); }

}  // namespace
}  // namespace fencepost::http
