#include "http/server.hpp"

#include <memory>
#include <string>
#include <tuple>

#include "base/startup_error.hpp"
#include "http/test_site.hpp"

namespace fencepost::http {
namespace {

using namespace std::chrono_literals;
using namespace test;
using testing::HasSubstr;

Task<void> ask_livez(Site* site) {
    const auto answer = co_await ask(site, get_livez);
    EXPECT_EQ(answer.status(), 200);
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    EXPECT_EQ(answer.field("Connection"), "keep-alive");
    EXPECT_EQ(answer.body, ok_body);
}

TEST(Server, AnswersLivez) { play(ask_livez); }

Task<void> ask_livez_on_ipv6(Site* site) {
    EXPECT_TRUE(site->address.to_string().starts_with("[::1]:"));
    co_await ask_livez(site);
}

TEST(Server, ListensOnIpv6) { play(ask_livez_on_ipv6, {.listen = {.host = "::1"}}); }

Task<void> ask_for_what_is_not_there(Site* site) {
    co_await expect_problem(site, "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not-found");
    co_await expect_problem(site, "BREW /livez HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method-not-allowed");
    const auto answer = co_await ask(site, "DELETE /livez HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(answer.field("Allow"), "GET, HEAD");
    EXPECT_EQ(answer.field("Connection"), "keep-alive");
}

TEST(Server, UnknownPathsAndMethodsAreProblems) { play(ask_for_what_is_not_there); }

Task<void> ask_head(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send("HEAD /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const auto answer = co_await client.receive(false);
    EXPECT_EQ(answer.status(), 200);
    EXPECT_EQ(answer.field("Content-Length"), std::to_string(std::string_view(ok_body).size()));
    EXPECT_EQ(co_await client.receive_rest(), "");
}

TEST(Server, HeadIsGetWithoutABody) { play(ask_head); }

Task<void> ask_twice_then_close(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    for (int i = 0; i < 2; ++i) {
        co_await client.send(get_livez);
        EXPECT_EQ((co_await client.receive()).body, ok_body);
    }
    co_await client.send("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_EQ((co_await client.receive()).field("Connection"), "close");
    EXPECT_EQ(co_await client.receive_rest(), "");
}

TEST(Server, AConnectionIsKeptUntilTheClientWantsItClosed) { play(ask_twice_then_close); }

Task<void> pipeline(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    std::string requests;
    for (int i = 0; i < 100; ++i) {
        requests += "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n" + std::to_string(10 + i % 90);
    }
    co_await client.send(requests);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ((co_await client.receive()).body, std::to_string(10 + i % 90));
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) { play(pipeline); }

Task<void> send_garbage(Site* site) {
    co_await expect_problem(site, "\x16\x03\x01\x02\x01", 400, "malformed-request");
    co_await expect_problem(site, "how are you?\r\n\r\n", 400, "malformed-request");
    co_await expect_problem(site, "GET /livez HTTP/1.1\r\n\r\n", 400, "malformed-request");
    co_await ask_livez(site);
}

TEST(Server, GarbageIsRefused) { play(send_garbage); }

Task<void> send_too_much(Site* site) {
    std::string flood = "GET /livez HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 100'000; ++i)
        flood += "X: y\r\n";
    co_await expect_problem(site, flood, 431, "header-too-large");
    co_await expect_problem(site,
                            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n" + padding(10'000'000),
                            413, "body-too-large");
    co_await ask_livez(site);
}

TEST(Server, OversizedRequestsAreRefusedWithAnAnswer) { play(send_too_much); }

Task<void> send_after_being_told(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    EXPECT_EQ((co_await client.receive()).status(), 100);
    co_await client.send("hello");
    EXPECT_EQ((co_await client.receive()).body, "hello");
}

TEST(Server, SendsContinueToAWaitingClient) { play(send_after_being_told); }

Task<void> stop_talking(Site* site, std::string bytes, int status) {
    const auto begun = site->clock.monotonic();
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send(bytes);
    EXPECT_EQ((co_await client.receive()).status(), status) << bytes;
    co_await client.receive_rest();
    EXPECT_GE(site->clock.monotonic() - begun, 50ms) << bytes;
}

Task<void> stop_talking_in_every_way(Site* site) {
    co_await stop_talking(site, "", 0);
    co_await stop_talking(site, "GET /livez HT", 408);
    co_await stop_talking(site, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhal", 408);
    co_await stop_talking(site, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", 200);
    co_await ask_livez(site);
}

ServerOptions impatient() {
    ServerOptions options;
    options.time = {.header = 50ms, .body = 50ms, .idle = 50ms, .response = 50ms, .drain = 50ms};
    return options;
}

TEST(Server, DisconnectsASilentClient) { play(stop_talking_in_every_way, impatient()); }

Task<void> note_end(TestClient* client, bool* ended) {
    std::ignore = co_await client->receive_rest();
    *ended = true;
}

// Sends one byte every few milliseconds and never finishes.
Task<void> dribble(Site* site, std::string bytes) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    bool ended = false;
    TaskGroup reader(site->context.get_executor());
    reader.spawn(note_end(&client, &ended));
    for (std::size_t i = 0; i < 500 && !ended; ++i) {
        co_await client.send(std::string(1, bytes[i % bytes.size()]));
        co_await site->clock.sleep_for(5ms);
    }
    EXPECT_TRUE(ended) << "still open after seconds";
    reader.cancel();
    co_await reader.join();
}

Task<void> dribble_in_every_way(Site* site) {
    co_await dribble(site, "A");
    co_await dribble(site, "\r\n");
}

TEST(Server, DisconnectsASlowClient) { play(dribble_in_every_way, impatient()); }

// Requests more than the socket's buffers hold and reads nothing.
Task<void> never_read(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n" + padding(30'000'000));
    co_await until_connection_accepted(site);
    const auto received = co_await client.receive_rest();
    EXPECT_GT(received.size(), 0U);
    EXPECT_LT(received.size(), 30'000'000U);
}

TEST(Server, DisconnectsAClientThatDoesNotRead) {
    auto options = impatient();
    options.time.body = 90s;
    options.request.body_bytes = 40'000'000;
    options.max_connections = 1;
    play(never_read, options);
}

Task<void> open_too_many(Site* site) {
    TestClient first(site->context.get_executor());
    TestClient second(site->context.get_executor());
    co_await first.connect(site->address);
    co_await second.connect(site->address);
    co_await first.send(get_livez);
    EXPECT_EQ((co_await first.receive()).status(), 200);

    co_await expect_problem(site, get_livez, 503, "too-many-connections");
    const auto refused = co_await ask(site, get_livez);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    EXPECT_EQ(refused.field("Connection"), "close");

    co_await second.send(get_livez);
    EXPECT_EQ((co_await second.receive()).status(), 200) << "a refusal disturbs those who are in";
    first.close();
    co_await until_connection_accepted(site);
    co_await ask_livez(site);
}

TEST(Server, RefusesConnectionsOverTheLimitWithAnAnswer) { play(open_too_many, {.max_connections = 2}); }

Task<void> stay_after_the_last_answer(Site* site) {
    TestClient refused(site->context.get_executor());
    co_await refused.connect(site->address);
    co_await refused.send("how are you?\r\n\r\n");
    EXPECT_EQ((co_await refused.receive()).status(), 400);
    co_await expect_problem(site, get_livez, 503, "too-many-connections");
    co_await until_connection_accepted(site);
}

TEST(Server, LingeringConnectionsFreeTheirSlot) { play(stay_after_the_last_answer, {.max_connections = 1}); }

Task<void> ask_what_fails(Site* site) {
    co_await expect_problem(site, "GET /fail HTTP/1.1\r\nHost: a\r\n\r\n", 500, "internal-error");
    EXPECT_THAT((co_await ask(site, "GET /fail HTTP/1.1\r\nHost: a\r\n\r\n")).body, Not(HasSubstr("secret")));
    EXPECT_THAT(site->faults, testing::ElementsAre("a secret", "a secret"));
    co_await ask_livez(site);
}

TEST(Server, ReportsAHandlersException) { play(ask_what_fails); }

Task<void> stop_serving(Site* site) {
    site->serving->cancel();
    co_await site->serving->join();
}

Task<void> stop_with_idle_connections(Site* site) {
    TestClient fresh(site->context.get_executor());
    TestClient used(site->context.get_executor());
    TestClient half(site->context.get_executor());
    for (auto* client : {&fresh, &used, &half})
        co_await client->connect(site->address);
    co_await used.send(get_livez);
    co_await used.receive();
    co_await half.send("GET /li");
    co_await site->clock.sleep_for(10ms);

    co_await stop_serving(site);
    for (auto* client : {&fresh, &used, &half})
        EXPECT_EQ(co_await client->receive_rest(), "");
    TestClient late(site->context.get_executor());
    EXPECT_THROW(co_await late.connect(site->address), boost::system::system_error);
}

ServerOptions draining_for_ever() {
    ServerOptions options;
    options.time.drain = 1h;
    return options;
}

TEST(Server, CancellationClosesIdleConnectionsAtOnce) { play(stop_with_idle_connections, draining_for_ever()); }

Task<void> stop_during_a_request(Site* site) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await site->slow_begun.wait();

    site->serving->cancel();
    co_await site->clock.sleep_for(20ms);
    EXPECT_EQ(site->serving->running(), 1U);
    site->bell.notify();
    const auto answer = co_await client.receive();
    EXPECT_EQ(answer.body, "at last");
    EXPECT_EQ(answer.field("Connection"), "close");
    client.close();
    co_await site->serving->join();
}

TEST(Server, CancellationFinishesARequestInProgress) { play(stop_during_a_request); }

Task<void> stop_during_an_endless_request(Site* site, bool twice) {
    TestClient client(site->context.get_executor());
    co_await client.connect(site->address);
    co_await client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    co_await site->slow_begun.wait();

    const auto begun = site->clock.monotonic();
    site->serving->cancel();
    co_await site->clock.sleep_for(10ms);
    if (twice) site->serving->cancel();
    co_await site->serving->join();
    if (!twice) EXPECT_GE(site->clock.monotonic() - begun, site->options.time.drain);
    EXPECT_EQ(co_await client.receive_rest(), "");
}

Task<void> stop_once(Site* site) { return stop_during_an_endless_request(site, false); }
Task<void> stop_twice(Site* site) { return stop_during_an_endless_request(site, true); }

TEST(Server, CancellationEndsARequestThatTakesTooLong) { play(stop_once, impatient()); }

TEST(Server, ASecondCancellationDoesNotWait) { play(stop_twice, draining_for_ever()); }

TEST(Server, MayBeTornDownWithConnectionsOpen) {
    const auto site = std::make_unique<Site>();
    asio::co_spawn(site->context, Site::host(site.get(), site->clock.sleep_for(1h)), [](const std::exception_ptr&) {});
    asio::co_spawn(site->context, ask(site.get(), "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"),
                   [](const std::exception_ptr&, const Answer&) {});
    site->context.run_for(50ms);
    ASSERT_EQ(site->serving->running(), 1U);
    Teardown::begin(site->context);
}

std::string startup_error(const ServerOptions& options) {
    asio::io_context context;
    SystemClock clock;
    const Router router;
    try {
        const Server server(context.get_executor(), clock, router, options);
    } catch (const StartupError& error) {
        return error.what();
    }
    return "none";
}

TEST(Server, AnAddressInUseIsAStartUpError) {
    const Site site;
    EXPECT_EQ(startup_error({.listen = site.address}),
              "cannot listen on " + site.address.to_string() +
                  ": another program already listens on it; stop that program or choose another address");
}

TEST(Server, AForeignAddressIsAStartUpError) {
    ServerOptions options;
    options.listen.host = "no-such-host.invalid";
    EXPECT_THAT(startup_error(options), HasSubstr("cannot be resolved"));
    options.beyond_loopback = true;
    options.listen.host = "192.0.2.1";  // RFC 5737: reserved for documentation
    EXPECT_THAT(startup_error(options), HasSubstr("this machine does not have that address"));
}

TEST(Server, ListensBeyondLoopbackOnlyIfConfigured) {
    ServerOptions options;
    options.listen.port = 0;
    for (const auto* host : {"0.0.0.0", "::", "192.0.2.1"}) {
        options.listen.host = host;
        EXPECT_THAT(startup_error(options), HasSubstr("other machines could reach it")) << host;
    }
    options.beyond_loopback = true;
    options.listen.host = "0.0.0.0";
    EXPECT_EQ(startup_error(options), "none");
}

}  // namespace
}  // namespace fencepost::http
