// Connection reuse, limits, cancellation and addresses.

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>

#include "base/startup_error.hpp"
#include "rpc_site.hpp"

namespace fencepost::test {
namespace {

using namespace asio::experimental::awaitable_operators;
using testing::HasSubstr;
using testing::Not;

// Runs everything that is ready, including pending kernel events.
Task<void> settle(RpcSite* site) { co_await site->clock.sleep_for(200ms); }

Task<void> until_all_are_closed(RpcSite* site) {
    while (site->server.open_connections() > 0)
        co_await site->clock.sleep_for(5ms);
}

Task<void> call_twice(RpcSite* site) {
    for (int i = 0; i < 5; ++i)
        EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    EXPECT_EQ(site->server.accepted_connections(), 1U);
}
TEST(Connections, AreKeptAlive) { play(call_twice); }

Task<void> call_after_the_server_closed(RpcSite* site) {
    site->server.next({.mode = AnswerMode::last_answer});
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    co_await settle(site);
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    site->server.close_idle_connections();
    co_await settle(site);
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    EXPECT_EQ(site->server.accepted_connections(), 3U);
    EXPECT_EQ(site->server.received().size(), 3U);
}
TEST(Connections, ClosedByServerAreNotReused) { play(call_after_the_server_closed); }

Task<void> call_while_it_is_down(RpcSite* site) {
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    site->server.go_down();
    co_await settle(site);
    const auto refused = failure_of(co_await RpcSite::ask(site));
    EXPECT_EQ(refused.kind, Kind::unreachable);
    EXPECT_TRUE(refused.not_sent);
    site->server.come_back();
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
}
TEST(Connections, ReconnectAutomatically) { play(call_while_it_is_down); }

Task<void> call_on(RpcSite* site, Duration time_limit, std::vector<Answer>* answers) {
    answers->push_back(co_await RpcSite::ask(site, time_limit));
}

Task<void> call_more_than_may_be_in_flight(RpcSite* site) {
    site->server.always({.mode = AnswerMode::late, .pause = 30ms});
    std::vector<Answer> answers;
    TaskGroup tasks(site->context.get_executor());
    for (int i = 0; i < 8; ++i)
        tasks.spawn(call_on(site, enough, &answers));
    co_await tasks.join();
    EXPECT_EQ(answers.size(), 8U);
    for (const auto& answer : answers)
        EXPECT_TRUE(answer.has_value());
    EXPECT_EQ(site->server.accepted_connections(), 2U);
}
TEST(Connections, AreLimitedAndFurtherCallsQueue) { play(call_more_than_may_be_in_flight, {.max_in_flight = 2}); }

Task<void> wait_too_long_for_a_turn(RpcSite* site) {
    site->server.always({.mode = AnswerMode::silence});
    std::vector<Answer> first;
    std::vector<Answer> second;
    co_await (call_on(site, 2s, &first) && call_on(site, 100ms, &second));
    EXPECT_EQ(failure_of(first.at(0)).kind, Kind::timed_out);
    EXPECT_EQ(failure_of(second.at(0)).kind, Kind::overloaded);
    EXPECT_EQ(site->server.received().size(), 1U);
    site->server.always({});
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
}
TEST(Connections, QueuedCallThatTimesOutIsNotSent) { play(wait_too_long_for_a_turn, {.max_in_flight = 1}); }

Task<void> call_without_time(RpcSite* site) {
    for (const Duration limit : {Duration(0), Duration(-1s), Duration::min()})
        EXPECT_EQ(failure_of(co_await RpcSite::ask(site, limit)).kind, Kind::timed_out);
    EXPECT_TRUE(site->server.received().empty());
    EXPECT_TRUE((co_await RpcSite::ask(site, Duration::max())).has_value());
}
TEST(Connections, CallWithoutTimeIsNotSent) { play(call_without_time); }

Task<void> cancel_a_call(RpcSite* site) {
    site->server.next({.mode = AnswerMode::silence});
    std::vector<Answer> answers;
    TaskGroup tasks(site->context.get_executor());
    tasks.spawn(call_on(site, enough, &answers));
    while (site->server.received().empty())
        co_await asio::post(asio::use_awaitable);
    tasks.cancel();
    co_await tasks.join();
    EXPECT_TRUE(answers.empty());
    co_await until_all_are_closed(site);
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
}
TEST(Connections, CancelledCallThrowsAndClosesConnection) { play(cancel_a_call, {.max_in_flight = 1}); }

Task<void> destroy_the_client(RpcSite* site) {
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    site->server.next({.mode = AnswerMode::late, .pause = 30ms});
    std::vector<Answer> answers;
    TaskGroup tasks(site->context.get_executor());
    tasks.spawn(call_on(site, enough, &answers));
    while (site->server.received().size() < 2)
        co_await asio::post(asio::use_awaitable);
    site->client.reset();
    co_await tasks.join();
    EXPECT_TRUE(answers.at(0).has_value());
    co_await until_all_are_closed(site);
}
TEST(Connections, OutliveClientOnlyUntilCallsEnd) { play(destroy_the_client); }

Task<void> call_by_name(RpcSite* site) {
    // localhost may have an IPv6 address without a listener: the next address is tried.
    HttpJsonRpcOptions options{.url = *Url::parse(fmt::format("http://localhost:{}", site->server.port()))};
    site->client.emplace(site->context.get_executor(), site->clock, options);
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
    options.url.host = "no-such-host.invalid";
    site->client.emplace(site->context.get_executor(), site->clock, options);
    const auto answer = co_await RpcSite::ask(site, 5s);
    const auto failure = failure_of(answer);
    EXPECT_TRUE(failure.kind == Kind::unreachable || failure.kind == Kind::timed_out) << failure.what;
    EXPECT_TRUE(failure.not_sent);
    EXPECT_THAT(failure.what, HasSubstr("http://no-such-host.invalid:"));
}
TEST(Connections, AreMadeByHostName) { play(call_by_name); }

TEST(Connections, AreMadeOverIpv6) { play(call_once, {}, {.ipv6 = true}); }

TEST(Connections, RejectsInvalidHeaderWithoutShowingIt) {
    SystemClock clock;
    asio::io_context context;
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"Authorization", "s3cr3t\r\nX: y"}, {"Author ization", "s3cr3t"}, {"", "s3cr3t"}}) {
        HttpJsonRpcOptions options{.url = *Url::parse("http://user:s3cr3t@host/s3cr3t"), .headers = {{name, value}}};
        try {
            const HttpJsonRpc client(context.get_executor(), clock, options);
            ADD_FAILURE() << name;
        } catch (const StartupError& error) {
            EXPECT_THAT(error.what(), HasSubstr("http://host:80"));
            EXPECT_THAT(error.what(), Not(HasSubstr("s3cr3t")));
        }
    }
}

}  // namespace
}  // namespace fencepost::test
