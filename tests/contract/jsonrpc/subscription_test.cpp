// Subscriptions over WebSocket against a scripted server.
#include "jsonrpc/subscription.hpp"

#include <boost/asio/post.hpp>

#include "rpc_site.hpp"
#include "support/scripted_ws_server.hpp"
#include "test_files.hpp"

namespace fencepost::test {
namespace {

using jsonrpc::Subscription;
using jsonrpc::SubscriptionOptions;
using testing::HasSubstr;

struct WsSite {
    explicit WsSite(ScriptedWsServer::Options server_options, SubscriptionOptions options = {})
        : server(context.get_executor(), clock, std::move(server_options)) {
        options.url = *Url::parse(server.url());
        subscription.emplace(context.get_executor(), clock, std::move(options));
    }

    static Task<void> host(WsSite* site, Task<void> script) {
        co_await std::move(script);
        co_await site->subscription->close();
        co_await site->server.stop();
    }

    SystemClock clock;
    asio::io_context context{1};
    ScriptedWsServer server;
    std::optional<Subscription> subscription;
};

void play_over_socket(Task<void> (*script)(WsSite*), ScriptedWsServer::Options server_options = {},
                      SubscriptionOptions options = {}) {
    WsSite site(std::move(server_options), std::move(options));
    run(site.context, WsSite::host(&site, script(&site)));
}

// Opens it and waits until the server has registered the subscription.
Task<void> open(WsSite* site) {
    const auto opened = co_await site->subscription->open(enough);
    EXPECT_TRUE(opened.has_value());
    while (site->server.subscribers() == 0)
        co_await asio::post(asio::use_awaitable);
}

Task<Failure> open_in_vain(WsSite* site, Duration time_limit = enough) {
    const auto opened = co_await site->subscription->open(time_limit);
    if (opened || !std::holds_alternative<Failure>(opened.error())) co_return Failure{.kind = Kind::overloaded};
    EXPECT_FALSE((co_await site->subscription->next()).has_value());
    co_return std::get<Failure>(opened.error());
}

Task<void> hear_of_heads(WsSite* site) {
    co_await open(site);
    for (int i = 0; i < 3; ++i) {
        co_await site->server.push(i);
        EXPECT_EQ((co_await site->subscription->next()).value(), boost::json::value(i));
    }
}
TEST(Subscription, ReceivesHeads) { play_over_socket(hear_of_heads); }

TEST(Subscription, ReceivesHeadsOverTls) {
    const auto certificate = make_test_certificate({"IP:127.0.0.1"});
    const CaFile ca(certificate);
    play_over_socket(hear_of_heads, {.certificate = certificate}, {.ca_file = ca.path});
}

Task<void> distrust(WsSite* site) {
    const auto failure = co_await open_in_vain(site);
    EXPECT_EQ(failure.kind, Kind::unreachable);
    EXPECT_THAT(failure.what, HasSubstr("not trusted"));
}
TEST(Subscription, ChecksTheCertificate) {
    play_over_socket(distrust, {.certificate = make_test_certificate({"IP:127.0.0.1"})});
}

Task<void> send_a_header(WsSite* site) {
    co_await open(site);
    EXPECT_EQ(site->server.header("Authorization"), "Bearer s3cr3t");
}
TEST(Subscription, SendsItsHeaders) {
    play_over_socket(send_a_header, {}, {.headers = {{"Authorization", "Bearer s3cr3t"}}});
}

Task<void> fall_behind(WsSite* site) {
    co_await open(site);
    for (int i = 0; i < 10; ++i)
        co_await site->server.push(i);
    co_await site->server.close_connections();
    std::vector<std::int64_t> heard;
    for (;;) {
        const auto next = co_await site->subscription->next();
        if (!next) break;
        heard.push_back(next->as_int64());
    }
    EXPECT_THAT(heard, testing::ElementsAre(7, 8, 9));
}
TEST(Subscription, DropsOldestWhenConsumerIsSlow) { play_over_socket(fall_behind, {}, {.max_waiting = 3}); }

Task<void> pass_over_others(WsSite* site) {
    co_await open(site);
    co_await site->server.push_text(R"({"method":"eth_subscription","params":{"subscription":"0xother","result":1}})");
    co_await site->server.push_text(R"({"method":"eth_subscription","params":[1]})");
    co_await site->server.push_text(R"([1,2,3])");
    co_await site->server.push(7);
    EXPECT_EQ((co_await site->subscription->next()).value(), boost::json::value(7));
}
TEST(Subscription, IgnoresOtherSubscriptions) { play_over_socket(pass_over_others); }

Task<void> expect_end(WsSite* site, Kind kind, std::string says) {
    for (int i = 0; i < 2; ++i) {
        const auto next = co_await site->subscription->next();
        EXPECT_FALSE(next.has_value());
        if (next) co_return;
        EXPECT_EQ(next.error().kind, kind) << next.error().what;
        EXPECT_THAT(next.error().what, testing::StartsWith(site->server.url() + ": "));
        EXPECT_THAT(next.error().what, HasSubstr(says));
    }
}

Task<void> be_reset(WsSite* site) {
    co_await open(site);
    site->server.reset_connections();
    co_await expect_end(site, Kind::unreachable, "broke");
}
TEST(Subscription, EndsWhenConnectionBreaks) { play_over_socket(be_reset); }

Task<void> be_closed(WsSite* site) {
    co_await open(site);
    co_await site->server.close_connections();
    co_await expect_end(site, Kind::unreachable, "closed");
}
TEST(Subscription, EndsWhenServerCloses) { play_over_socket(be_closed); }

Task<void> get_no_json(WsSite* site) {
    co_await open(site);
    co_await site->server.push_text("<html>");
    co_await expect_end(site, Kind::malformed, "not JSON");
}
TEST(Subscription, EndsOnInvalidJson) { play_over_socket(get_no_json); }

Task<void> get_a_long_message(WsSite* site) {
    co_await open(site);
    co_await site->server.push_text(std::string(2000, 'x'));
    co_await expect_end(site, Kind::malformed, "too long");
}
TEST(Subscription, EndsOnOversizedMessage) { play_over_socket(get_a_long_message, {}, {.max_message_bytes = 1000}); }

Task<void> stay_silent(WsSite* site) {
    co_await open(site);
    const auto begun = site->clock.monotonic();
    while (site->server.pings() < 2 || site->clock.monotonic() - begun < 4s)
        co_await site->clock.sleep_for(10ms);
    co_await site->server.push(1);
    EXPECT_TRUE((co_await site->subscription->next()).has_value());
}
TEST(Subscription, SurvivesSilenceWhilePingsAreAnswered) { play_over_socket(stay_silent, {}, {.idle_limit = 3s}); }

Task<void> be_deaf(WsSite* site) {
    co_await open(site);
    co_await expect_end(site, Kind::timed_out, "no pong");
}
TEST(Subscription, EndsWhenPingsAreUnanswered) {
    play_over_socket(be_deaf, {.mode = WsMode::deaf}, {.idle_limit = 200ms});
}

Task<void> have_a_socket_refused(WsSite* site) {
    const auto opened = co_await site->subscription->open(enough);
    EXPECT_FALSE(opened.has_value());
    if (!opened) EXPECT_EQ(std::get<ErrorAnswer>(opened.error()).message, "notifications not supported");
}
TEST(Subscription, ReportsNodeRefusal) { play_over_socket(have_a_socket_refused, {.mode = WsMode::refuse}); }

Task<void> get_a_status(WsSite* site) {
    const auto failure = co_await open_in_vain(site);
    EXPECT_EQ(failure.kind, Kind::http_error);
    EXPECT_THAT(failure.what, HasSubstr("403"));
}
TEST(Subscription, ReportsHandshakeStatus) { play_over_socket(get_a_status, {.mode = WsMode::no_ws, .status = 403}); }

Task<void> be_rate_limited(WsSite* site) { EXPECT_EQ((co_await open_in_vain(site)).kind, Kind::rate_limited); }
TEST(Subscription, IsRateLimited) { play_over_socket(be_rate_limited, {.mode = WsMode::no_ws, .status = 429}); }

Task<void> be_hung_up_on(WsSite* site) { EXPECT_EQ((co_await open_in_vain(site)).kind, Kind::unreachable); }
TEST(Subscription, FailsOnTruncatedHandshake) { play_over_socket(be_hung_up_on, {.mode = WsMode::hang_up}); }

Task<void> hear_nothing_on_a_socket(WsSite* site) {
    EXPECT_EQ((co_await open_in_vain(site, 100ms)).kind, Kind::timed_out);
}
TEST(Subscription, FailsOnTimeout) { play_over_socket(hear_nothing_on_a_socket, {.mode = WsMode::no_answer}); }

Task<void> wait_for_a_head(WsSite* site, bool* ended) {
    EXPECT_FALSE((co_await site->subscription->next()).has_value());
    *ended = true;
}

Task<void> close_under_a_waiter(WsSite* site) {
    co_await open(site);
    bool ended = false;
    TaskGroup tasks(site->context.get_executor());
    tasks.spawn(wait_for_a_head(site, &ended));
    co_await asio::post(asio::use_awaitable);
    co_await site->subscription->close();
    co_await tasks.join();
    EXPECT_TRUE(ended);
}
TEST(Subscription, ClosingEndsPendingWait) { play_over_socket(close_under_a_waiter); }

}  // namespace
}  // namespace fencepost::test
