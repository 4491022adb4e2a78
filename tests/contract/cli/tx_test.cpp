// The transaction commands, as people and scripts call them.
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_answers.hpp"
#include "site.hpp"

namespace fencepost::test {
namespace {

using cli::test_id;
using cli::test_transaction;
using http::Method;
using http::StatusCode;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

const std::string path = "/api/v1/tx/" + std::string(test_id);
const std::string id(test_id);
const std::vector<std::string> transfer{"tx",      "send",
                                        "--from",  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                                        "--to",    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
                                        "--value", "0.1 ether"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

http::Response refusal(StatusCode status, const std::string& kind, const std::string& detail) {
    return answer_of(R"({"type":"urn:fencepost:problem:)" + kind + R"(","title":"T","detail":")" + detail + "\"}",
                     status);
}

TEST(CliTx, SendPostsIntentWithFreshRequestId) {
    Site site;
    site.on(Method::post, "/api/v1/tx", {answer_of(test_transaction("QUEUED"), StatusCode::accepted)});
    const auto first = site.run(transfer);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, AllOf(HasSubstr(id), HasSubstr("state        QUEUED"), HasSubstr("request id")));
    EXPECT_THAT(first.err, IsEmpty());
    site.run(transfer);
    site.run(with(transfer, {"--request-id", "order-17"}));

    ASSERT_EQ(site.requests().size(), 3U);
    const auto request_id = [&site](std::size_t i) {
        return boost::json::parse(site.requests().at(i).body).at("requestId").as_string();
    };
    EXPECT_EQ(request_id(0).size(), 36U);
    EXPECT_NE(request_id(0), request_id(1));
    EXPECT_EQ(request_id(2), "order-17");
    EXPECT_EQ(boost::json::parse(site.requests().at(0).body).at("payload").at("value"), "100000000000000000");
    EXPECT_EQ(site.requests().at(0).headers.find("content-type"), "application/json");
}

TEST(CliTx, SendPassesCallArgumentsUnchanged) {
    Site site;
    site.on(Method::post, "/api/v1/tx", {answer_of(test_transaction("QUEUED"), StatusCode::accepted)});
    auto arguments =
        with(transfer, {"--call", "f(uint256[],int8,bool)", "--args", R"(["1","2"])", "3", "true", "--json"});
    const auto outcome = site.run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, test_transaction("QUEUED") + "\n");
    EXPECT_EQ(boost::json::parse(site.requests().at(0).body).at("payload").at("args"),
              boost::json::parse(R"([["1","2"],"3",true])"));
}

TEST(CliTx, RefusedSendExplainsAndExitsWithOne) {
    Site site;
    const auto problem = refusal(StatusCode::conflict, "submitter-paused", "The submitter is paused since noon.");
    site.on(Method::post, "/api/v1/tx", {problem});
    const auto told = site.run(transfer);
    EXPECT_EQ(told.code, 1);
    EXPECT_THAT(told.out, IsEmpty());
    EXPECT_THAT(told.err, AllOf(HasSubstr("fencepost: The submitter is paused since noon.\n"),
                                HasSubstr("to do: resume the submitter (fencepost submitter resume)"),
                                Not(HasSubstr("request-id"))));
    const auto as_json = site.run(with(transfer, {"--json"}));
    EXPECT_EQ(as_json.code, 1);
    EXPECT_EQ(as_json.out, problem.body + "\n");
}

TEST(CliTx, UncertainSendExplainsSafeRetry) {
    Site site;
    site.on(Method::post, "/api/v1/tx",
            {refusal(StatusCode::service_unavailable, "store-unavailable", "The database does not answer.")});
    const auto outcome = site.run(with(transfer, {"--request-id", "order-17"}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("retry in a moment"), HasSubstr("--request-id order-17")));

    const auto unreachable = site.run(with(transfer, {"--url", "http://127.0.0.1:1"}), false);
    EXPECT_EQ(unreachable.code, 5);
    EXPECT_THAT(unreachable.err,
                AllOf(HasSubstr("http://127.0.0.1:1 cannot be reached"), Not(HasSubstr("--request-id"))))
        << "no server can have accepted it";
}

TEST(CliTx, SendFileReportsEachItemAndExitsWithOneOnRefusal) {
    Site site;
    site.on(Method::post, "/api/v1/tx/batch",
            {answer_of(R"({"items":[{"status":202,"transaction":)" + test_transaction("QUEUED") +
                       R"(},{"status":422,"problem":{"detail":"A nonce."}}]})")});
    site.folder().write("batch.json", R"([{"a":1},{"b":2}])");
    const auto outcome = site.run({"tx", "send", "--file", "batch.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("0     202     " + id), HasSubstr("A nonce.")));
    EXPECT_EQ(site.requests().at(0).body, R"({"items":[{"a":1},{"b":2}]})");

    EXPECT_EQ(site.run({"tx", "send", "--file", "none.json"}).code, 2);
    EXPECT_EQ(
        site.run({"tx", "send", "--file", "batch.json", "--to", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}).code, 2);
}

TEST(CliTx, SendLargeFileInBatchesWithOneDocument) {
    Site site;
    site.on(Method::post, "/api/v1/tx/batch",
            {answer_of(R"({"items":[{"status":202,"transaction":1}]})"),
             answer_of(R"({"items":[{"status":202,"transaction":2}]})")});
    std::string items = "[0";
    for (int i = 1; i <= 1000; ++i)
        items += "," + std::to_string(i);
    site.folder().write("batch.json", items + "]");
    const auto outcome = site.run({"tx", "send", "--file", "batch.json", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, R"({"items":[{"status":202,"transaction":1},{"status":202,"transaction":2}]})"
                           "\n");
    ASSERT_EQ(site.requests().size(), 2U);
    EXPECT_EQ(site.requests().at(1).body, R"({"items":[1000]})");
}

TEST(CliTx, SendFileSplitsByBytesAndReportsWhereItStopped) {
    Site site;
    site.on(Method::post, "/api/v1/tx/batch",
            {answer_of(R"({"items":[{"status":202,"transaction":1}]})"),
             refusal(StatusCode::conflict, "submitter-paused", "The submitter is paused since noon.")});
    const auto item = "\"" + std::string(600'000, 'x') + "\"";
    site.folder().write("batch.json", fmt::format("[{0},{0},{0}]", item));
    const auto outcome = site.run({"tx", "send", "--file", "batch.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("This concerns items 1 to 1; later items were not sent."));
    ASSERT_EQ(site.requests().size(), 2U);
    EXPECT_EQ(site.requests().at(0).body, fmt::format(R"({{"items":[{}]}})", item));
}

TEST(CliTx, WaitPollsUntilVerdictAndSetsExitCode) {
    Site site;
    site.on(Method::get, path,
            {answer_of(test_transaction("QUEUED")), answer_of(test_transaction("TRACKING", R"("MINED")")),
             answer_of(test_transaction("CONFIRMED"))});
    const auto good = site.run({"tx", "wait", id});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_THAT(good.out, HasSubstr("CONFIRMED"));
    EXPECT_THAT(good.err, IsEmpty());
    ASSERT_EQ(site.requests().size(), 3U);
    EXPECT_EQ(site.requests().at(0).query, "wait=30s&until=confirmed");

    Site bad_site;
    bad_site.on(Method::get, path, {answer_of(test_transaction("FAILED_FINAL"))});
    const auto bad = bad_site.run({"tx", "wait", id, "--json"});
    EXPECT_EQ(bad.code, 3);
    EXPECT_EQ(bad.out, test_transaction("FAILED_FINAL") + "\n");
}

TEST(CliTx, WaitRetriesBusyServer) {
    Site site;
    site.on(Method::get, path,
            {refusal(StatusCode::service_unavailable, "overloaded", "The server is overloaded."),
             answer_of(test_transaction("CONFIRMED"))});
    const auto outcome = site.run({"tx", "wait", id});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(CliTx, WaitExitsWithFourOnTimeoutAndFiveWhenUnreachable) {
    Site site;
    site.on(Method::get, path, {answer_of(test_transaction("QUEUED"))});
    const auto late = site.run({"tx", "wait", id, "--timeout", "1s"});
    EXPECT_EQ(late.code, 4);
    EXPECT_THAT(late.out, HasSubstr("QUEUED"));
    EXPECT_THAT(late.err, AllOf(HasSubstr("not confirmed within 1s"), HasSubstr("fencepost tx wait " + id)));
    EXPECT_EQ(site.run({"tx", "wait", id, "--url", "http://127.0.0.1:1"}, false).code, 5);
    EXPECT_EQ(site.run({"tx", "wait", "unknown"}).code, 1);
}

TEST(CliTx, WaitShowsChangesInTerminal) {
    Site site;
    site.on(Method::get, path,
            {answer_of(test_transaction("QUEUED")), answer_of(test_transaction("TRACKING", R"("MINED")")),
             answer_of(test_transaction("CONFIRMED"))});
    const auto outcome = site.run_at_terminal({"tx", "wait", id});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("QUEUED"), HasSubstr("TRACKING / MINED"), HasSubstr("confirmations: 3"),
                                   HasSubstr("\x1b[32mCONFIRMED\x1b[0m")));
    EXPECT_EQ(site.requests().at(0).query, "wait=2s&until=confirmed");

    site.environment()["NO_COLOR"] = "1";
    EXPECT_THAT(site.run_at_terminal({"tx", "get", id}).out, AllOf(HasSubstr("CONFIRMED"), Not(HasSubstr("\x1b["))));
}

TEST(CliTx, SendCanWait) {
    Site site;
    site.on(Method::post, "/api/v1/tx", {answer_of(test_transaction("QUEUED"), StatusCode::accepted)});
    site.on(Method::get, path, {answer_of(test_transaction("REJECTED"))});
    const auto outcome = site.run(with(transfer, {"--wait", "mined"}));
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("transaction " + id + ", request id "));
    EXPECT_THAT(outcome.out, HasSubstr("REJECTED"));
}

TEST(CliTx, ListFollowsPagesWithAll) {
    Site site;
    const auto page = [](const std::string& next) {
        return answer_of(R"({"items":[)" + test_transaction("QUEUED") + R"(],"next":)" + next + "}");
    };
    site.on(Method::get, "/api/v1/tx", {page(R"("c1")"), page(R"("c1")"), page("null")});
    const auto first = site.run({"tx", "list", "--state", "QUEUED", "--limit", "1"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("--after c1"));
    const auto all = site.run({"tx", "list", "--all", "--json"});
    EXPECT_EQ(boost::json::parse(all.out).at("items").as_array().size(), 2U);
    EXPECT_TRUE(boost::json::parse(all.out).at("next").is_null());
    ASSERT_EQ(site.requests().size(), 3U);
    EXPECT_EQ(site.requests().at(0).query, "state=QUEUED&order=newest&limit=1");
    EXPECT_EQ(site.requests().at(1).query, "order=newest&limit=500");
    EXPECT_EQ(site.requests().at(2).query, "order=newest&after=c1&limit=500");
    EXPECT_EQ(site.run({"tx", "list", "--oldest-first"}).code, 0);
    EXPECT_EQ(site.requests().at(3).query, "order=oldest");
}

TEST(CliTx, GetFindsByIdAndRequestId) {
    Site site;
    site.on(Method::get, path, {answer_of(test_transaction("QUEUED"))});
    site.on(Method::get, "/api/v1/tx/by-request", {answer_of(test_transaction("QUEUED"))});
    EXPECT_EQ(site.run({"tx", "get", id}).code, 0);
    EXPECT_EQ(site.run({"tx", "get", "--submitter", "eip155:1:0xab", "--request-id", "a b"}).code, 0);
    EXPECT_EQ(site.requests().at(1).query, "submitter=eip155:1:0xab&requestId=a%20b");
    EXPECT_EQ(site.run({"tx", "get"}).code, 2);
    EXPECT_EQ(site.run({"tx", "get", id, "--submitter", "x", "--request-id", "y"}).code, 2);
}

TEST(CliTx, PostsCommandsWithReason) {
    Site site;
    for (const auto* kind : {"cancel", "speedup", "resubmit", "requeue"}) {
        site.on(Method::post, path + "/" + kind,
                {answer_of(R"({"commandId":"17","kind":")" + std::string(kind) + R"(","txId":")" + id + "\"}",
                           StatusCode::accepted)});
    }
    for (const auto* kind : {"cancel", "speedup", "resubmit", "requeue"}) {
        const auto outcome = site.run({"tx", kind, id, "--reason", "by hand"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, std::string(kind) + " of " + id + " requested (command 17)\n");
        EXPECT_EQ(site.requests().back().body, R"({"reason":"by hand"})");
    }
}

TEST(CliTx, DetailsHaveSeparateCommands) {
    Site site;
    for (const auto* kind : {"history", "attempts", "confirmations", "diagnosis"})
        site.on(Method::get, path + "/" + kind, {answer_of(R"({"items":[],"sentence":"It waits."})")});
    EXPECT_EQ(site.run({"tx", "history", id}).out, "no history\n");
    EXPECT_EQ(site.run({"tx", "attempts", id}).out, "no attempts\n");
    EXPECT_THAT(site.run({"tx", "confirmations", id}).out, HasSubstr("not in a block yet"));
    EXPECT_EQ(site.run({"tx", "diagnose", id}).out, "It waits.\n");
}

}  // namespace
}  // namespace fencepost::test
