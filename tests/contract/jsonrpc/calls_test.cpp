// Calls and batches against a scripted server, with faulty answers of every kind.
#include <boost/json/serialize.hpp>

#include "rpc_site.hpp"

namespace fencepost::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CallResult echo(std::string_view method, const boost::json::array& params) {
    if (method == "fail") return err(ErrorAnswer{-32000, "nonce too low", "0x01"});
    return params.at(0);
}

std::vector<jsonrpc::Request> numbered(int count) {
    std::vector<jsonrpc::Request> calls;
    for (int i = 0; i < count; ++i)
        calls.push_back({"echo", {i}});
    return calls;
}

Task<void> make_a_call(RpcSite* site) {
    const auto answer = co_await RpcSite::ask(site);
    EXPECT_EQ(answer.value(), boost::json::value("eth_chainId"));
    const auto& request = site->server.received().at(0);
    EXPECT_FALSE(request.is_batch);
    EXPECT_EQ(request.header("Content-Type"), "application/json");
    EXPECT_EQ(request.header("Host"), site->server.url().substr(7));
}
TEST(HttpJsonRpc, SingleCallIsNotABatch) { play(make_a_call); }

Task<void> make_a_batch(RpcSite* site) {
    site->server.on_call(echo);
    auto calls = numbered(3);
    calls[1].method = "fail";
    for (const auto mode : {AnswerMode::answer, AnswerMode::reversed}) {
        site->server.next({.mode = mode});
        const auto answers = co_await site->client->call(calls, enough);
        EXPECT_EQ(answers.size(), 3U);
        EXPECT_EQ(answers.at(0).value(), boost::json::value(0));
        EXPECT_EQ(answers.at(2).value(), boost::json::value(2));
        const auto error = error_of(answers.at(1)).value();
        EXPECT_EQ(error.code, -32000);
        EXPECT_EQ(error.message, "nonce too low");
        EXPECT_EQ(error.data, boost::json::value("0x01"));
    }
    EXPECT_EQ(site->server.received().size(), 2U);
    EXPECT_THAT(site->server.received().at(0).methods, ElementsAre("echo", "fail", "echo"));
}
TEST(HttpJsonRpc, BatchIsOneRequestWithAnswersInAnyOrder) { play(make_a_batch); }

Task<void> make_an_empty_batch(RpcSite* site) {
    EXPECT_TRUE((co_await site->client->call({}, enough)).empty());
    EXPECT_TRUE(site->server.received().empty());
}
TEST(HttpJsonRpc, EmptyBatchSendsNothing) { play(make_an_empty_batch); }

Task<void> make_a_large_batch(RpcSite* site) {
    site->server.on_call(echo);
    const auto answers = co_await site->client->call(numbered(25), enough);
    EXPECT_EQ(answers.size(), 25U);
    for (int i = 0; i < 25; ++i)
        EXPECT_EQ(answers.at(static_cast<std::size_t>(i)).value(), boost::json::value(i));
    EXPECT_EQ(site->server.received().size(), 3U);
    EXPECT_EQ(site->server.received().at(2).methods.size(), 5U);
}
TEST(HttpJsonRpc, SplitsLargeBatchInOrder) { play(make_a_large_batch, {.max_batch = 10}); }

Task<void> be_told_to_stop_in_a_large_batch(RpcSite* site) {
    site->server.next({});
    site->server.next({.mode = AnswerMode::rate_limited, .text = "3"});
    const auto answers = co_await site->client->call(numbered(25), enough);
    EXPECT_EQ(answers.size(), 25U);
    EXPECT_TRUE(answers.at(9).has_value());
    EXPECT_EQ(failure_of(answers.at(10)).kind, Kind::rate_limited);
    EXPECT_EQ(failure_of(answers.at(24)).kind, Kind::rate_limited);
    EXPECT_EQ(site->server.received().size(), 2U);
}
TEST(HttpJsonRpc, StopsBatchAtRateLimit) { play(be_told_to_stop_in_a_large_batch, {.max_batch = 10}); }

Task<void> break_single_answers(RpcSite* site) {
    site->server.on_call(echo);
    site->server.next({.mode = AnswerMode::duplicate_ids});
    auto answers = co_await site->client->call(numbered(3), enough);
    EXPECT_EQ(failure_of(answers.at(0)).kind, Kind::malformed);
    EXPECT_TRUE(answers.at(1).has_value() && answers.at(2).has_value());

    site->server.next({.mode = AnswerMode::missing_last});
    answers = co_await site->client->call(numbered(3), enough);
    EXPECT_TRUE(answers.at(0).has_value() && answers.at(1).has_value());
    EXPECT_EQ(failure_of(answers.at(2)).kind, Kind::malformed);

    site->server.next({.mode = AnswerMode::one_error, .text = "batch too large"});
    answers = co_await site->client->call(numbered(3), enough);
    for (const auto& answer : answers)
        EXPECT_EQ(error_of(answer).value().message, "batch too large");
}
TEST(HttpJsonRpc, WrongAnswerInBatchAffectsNoOther) { play(break_single_answers); }

struct Nasty {
    const char* name;
    Behaviour behaviour;
    Kind kind;
    const char* says;
    Duration time_limit = enough;
};

class FaultyAnswer : public testing::TestWithParam<Nasty> {};

Task<void> get_nasty_answers(RpcSite* site, Nasty nasty) {
    // First a single call, then a batch on what is left of the connection; the server receives each exactly once.
    for (const int count : {1, 3}) {
        site->server.next(nasty.behaviour);
        const auto answers = co_await site->client->call(numbered(count), nasty.time_limit);
        EXPECT_EQ(answers.size(), static_cast<std::size_t>(count));
        for (const auto& answer : answers) {
            const auto failure = failure_of(answer);
            EXPECT_EQ(failure.kind, nasty.kind) << failure.what;
            EXPECT_THAT(failure.what, StartsWith(site->server.url() + ": "));
            EXPECT_THAT(failure.what, HasSubstr(nasty.says));
            EXPECT_FALSE(failure.not_sent);
        }
    }
    EXPECT_EQ(site->server.received().size(), 2U);
    // Then it recovers.
    EXPECT_TRUE((co_await RpcSite::ask(site)).has_value());
}

TEST_P(FaultyAnswer, IsClassifiedAndSentOnce) {
    RpcSite site({.max_response_bytes = 1'000'000});
    run(site.context, RpcSite::host(&site, get_nasty_answers(&site, GetParam())));
}

INSTANTIATE_TEST_SUITE_P(
    OfEverySort, FaultyAnswer,
    testing::Values(
        Nasty{"rate_limited", {.mode = AnswerMode::rate_limited}, Kind::rate_limited, "429"},
        Nasty{"status_500", {.mode = AnswerMode::http_status, .text = "oh no"}, Kind::http_error, "500: \"oh no\""},
        Nasty{"status_204", {.mode = AnswerMode::http_status, .status = 204}, Kind::http_error, "204"},
        Nasty{"redirect",
              {.mode = AnswerMode::http_status, .text = R"({"error":{"code":1,"message":"x"}})", .status = 308},
              Kind::http_error,
              "308"},
        Nasty{"result_with_500",
              {.mode = AnswerMode::http_status, .text = R"({"id":1,"result":1})"},
              Kind::http_error,
              "500"},
        Nasty{"html", {.mode = AnswerMode::html}, Kind::malformed, "not JSON: \"<!DOCTYPE html>"},
        Nasty{"no_http", {.mode = AnswerMode::raw, .text = "SSH-2.0-x\r\n"}, Kind::malformed, "not HTTP"},
        Nasty{"empty",
              {.mode = AnswerMode::raw, .text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
              Kind::malformed,
              "not JSON"},
        Nasty{"wrong_id", {.mode = AnswerMode::wrong_id}, Kind::malformed, ""},
        Nasty{"both_members", {.mode = AnswerMode::both_members}, Kind::malformed, "both"},
        Nasty{"half_answer", {.mode = AnswerMode::half_answer}, Kind::unreachable, "in the middle"},
        Nasty{"closed", {.mode = AnswerMode::close}, Kind::unreachable, "before a response"},
        Nasty{"reset", {.mode = AnswerMode::reset}, Kind::unreachable, "before a response"},
        Nasty{"silence", {.mode = AnswerMode::silence}, Kind::timed_out, "no answer in time", in_vain},
        Nasty{
            "slow_drip", {.mode = AnswerMode::slow_drip, .pause = 50ms}, Kind::timed_out, "no answer in time", in_vain},
        Nasty{"huge_body", {.mode = AnswerMode::huge_body}, Kind::malformed, "longer than 1000000 bytes"},
        Nasty{"huge_length", {.mode = AnswerMode::huge_length}, Kind::malformed, "longer than 1000000 bytes"},
        Nasty{"deep_json", {.mode = AnswerMode::deep_json, .size = 100'000}, Kind::malformed, "deeper than 32"}),
    [](const auto& info) { return std::string(info.param.name); });

Task<void> read_retry_after(RpcSite* site) {
    site->server.next({.mode = AnswerMode::rate_limited, .text = "7"});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).retry_after, Duration(7s));
    site->server.next({.mode = AnswerMode::rate_limited, .text = "Fri, 31 Dec 9999 23:59:59 GMT"});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).retry_after, Duration(1h));
    site->server.next({.mode = AnswerMode::rate_limited});
    EXPECT_EQ(failure_of(co_await RpcSite::ask(site)).retry_after, std::nullopt);
}
TEST(HttpJsonRpc, ForwardsRetryAfter) { play(read_retry_after); }

Task<void> get_an_error_with_status_500(RpcSite* site) {
    site->server.next(
        {.mode = AnswerMode::http_status, .text = R"({"id":null,"error":{"code":-32005,"message":"over quota"}})"});
    EXPECT_EQ(error_of(co_await RpcSite::ask(site)).value().message, "over quota");
}
Task<void> get_a_secret_in_an_error(RpcSite* site) {
    site->server.next(
        {.mode = AnswerMode::http_status,
         .text = R"({"id":null,"error":{"code":-32005,"message":"key 0123456789abcdef is over quota"}})"});
    const auto error = error_of(co_await RpcSite::ask(site)).value();
    EXPECT_EQ(error.message, "key *** is over quota");
    EXPECT_EQ(error.http_status, 500U);
}
TEST(HttpJsonRpc, HidesSecretsQuotedInNodeErrors) {
    play(get_a_secret_in_an_error, {.url = {.target = "/0123456789abcdef"}});
}

TEST(HttpJsonRpc, NodeErrorCountsWithAnyStatus) { play(get_an_error_with_status_500); }

Task<void> send_headers(RpcSite* site) {
    site->server.next({.mode = AnswerMode::http_status, .text = "no access to /v3/0123456789abcdef with s3cr3t-t0k3n"});
    const auto failure = failure_of(co_await RpcSite::ask(site));
    EXPECT_EQ(site->server.received().at(0).target, "/v3/0123456789abcdef");
    EXPECT_EQ(site->server.received().at(0).header("authorization"), "Bearer s3cr3t-t0k3n");
    EXPECT_THAT(failure.what, HasSubstr("no access to *** with ***"));
}
TEST(HttpJsonRpc, SendsHeadersAndNeverShowsThem) {
    play(send_headers,
         {.url = {.target = "/v3/0123456789abcdef"}, .headers = {{"Authorization", "Bearer s3cr3t-t0k3n"}}});
}

}  // namespace
}  // namespace fencepost::test
