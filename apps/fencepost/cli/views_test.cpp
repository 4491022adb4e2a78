#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/json_fields.hpp"
#include "cli/pages.hpp"
#include "cli/submitter_view.hpp"
#include "cli/test_answers.hpp"
#include "cli/tx_view.hpp"

namespace fencepost::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string shown(std::string (*view)(const json::value&, const Paint&), const std::string& text) {
    return view(*parse_document(text), {});
}

TEST(TransactionView, ShowsAllProperties) {
    EXPECT_EQ(shown(show_transaction, test_transaction("TRACKING", R"("MINED")")),
              "transaction    0192f0c1-2345-7abc-8def-0123456789ab\n"
              "state          TRACKING / MINED\n"
              "submitter      eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\n"
              "request id     order-17\n"
              "hash           0xaa\n"
              "block          43\n"
              "outcome        succeeded\n"
              "confirmations  3\n"
              "gas used       21000\n"
              "gas price      1.5 gwei\n"
              "to             0x70997970\n"
              "value          1 ether\n"
              "fee            normal\n"
              "created        2026-11-16T13:21:04.123Z\n"
              "updated        2026-11-16T13:21:05.000Z\n");
}

TEST(TransactionView, ShowsErrorsAndRequiredDecisions) {
    EXPECT_THAT(shown(show_transaction,
                      test_transaction("FAILED_FINAL", "null", R"({"code":"REVERT","detail":"not \u001b[31myours"})")),
                AllOf(HasSubstr("REVERT: not "), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(shown(show_transaction, test_transaction("TRACKING", R"("MINED")", R"({"code":"CANCELLED"})")),
                HasSubstr("replaced by a no-op transaction"));
    EXPECT_THAT(shown(show_transaction, test_transaction("STUCK")), HasSubstr("an operator must decide"));
    EXPECT_THAT(shown(show_transaction, R"({"state":"CONFIRMED","verdictRevoked":true})"),
                HasSubstr("the state no longer holds"));
    EXPECT_THAT(shown(show_transaction, test_transaction("CONFIRMED")), Not(HasSubstr("revoked")));
}

TEST(TransactionView, ShowsNothingForUnexpectedDocuments) {
    EXPECT_EQ(shown(show_transaction, "7"), "");
    EXPECT_EQ(shown(show_transactions, "[]"), "no transactions\n");
    EXPECT_EQ(shown(show_history, R"({"items":7})"), "no history\n");
    EXPECT_EQ(shown(show_submitters, "null"), "no submitters\n");
}

TEST(Pages, ShowHowToGetTheNextPage) {
    EXPECT_EQ(shown(next_page_hint, R"({"items":[],"next":"c7"})"), "more items: use --after c7 or --all\n");
    EXPECT_EQ(shown(next_page_hint, R"({"items":[],"next":null})"), "");
}

TEST(TransactionView, ShowsTheResultOfEachBatchItem) {
    EXPECT_EQ(shown(show_batch, R"({"items":[{"status":202,"transaction":)" + test_transaction("QUEUED") +
                                    R"(},{"status":422,"problem":{"detail":"No such field."}}]})"),
              "ITEM  STATUS  TRANSACTION                           REQUEST ID  PROBLEM\n"
              "0     202     0192f0c1-2345-7abc-8def-0123456789ab  order-17    -\n"
              "1     422     -                                     -           No such field.\n");
}

TEST(TransactionView, ShowsTheFeesOfAttempts) {
    EXPECT_EQ(
        shown(show_attempts,
              R"({"items":[{"kind":"original","nonce":7,"txHash":"0xaa","gasLimit":"21000","fees":)"
              R"({"maxFeePerGas":"30000000000","maxPriorityFeePerGas":"1000000000"}},)"
              R"({"kind":"bump","nonce":7,"txHash":"0xbb","gasLimit":"21000","fees":{"gasPrice":"2000000000"}}]})"),
        "KIND      NONCE  HASH  MAX FEE  PRIORITY FEE  GAS LIMIT\n"
        "original  7      0xaa  30 gwei  1 gwei        21000\n"
        "bump      7      0xbb  2 gwei   -             21000\n");
}

TEST(TransactionView, EndsADiagnosisWithItsSentence) {
    EXPECT_EQ(shown(show_diagnosis, R"({"txId":"x","likely":"underpriced","sentence":"It offers too little.",)"
                                    R"("nonce":7,"gap":null,"other":null,"shortBy":"1000000000"})"),
              "transaction  x\nlikely       underpriced\nnonce        7\nshort by     1 gwei\nIt offers too little.\n");
    EXPECT_EQ(shown(show_diagnosis, R"({"txId":"x","likely":"window_full","sentence":"It is queued.",)"
                                    R"("window":{"size":16,"limit":"pool_full","since":"2026","behind":37}})"),
              "transaction    x\nlikely         window_full\nwindow         16\nlimited by     pool_full\n"
              "since          2026\nqueued behind  37\nIt is queued.\n");
    EXPECT_EQ(shown(show_diagnosis, R"({"txId":"x","likely":null,"sentence":"Nothing is in flight."})"),
              "transaction  x\nNothing is in flight.\n");
}

TEST(TransactionView, ConfirmsARequestedCommand) {
    EXPECT_EQ(shown(show_command, R"({"commandId":"17","kind":"cancel","txId":"x","submitter":"s"})"),
              "cancel of x requested (command 17)\n");
    EXPECT_EQ(shown(show_command, R"({"commandId":"18","kind":"pause","submitter":"s"})"),
              "pause of s requested (command 18)\n");
}

TEST(SubmitterView, ShowsOwnerAndStopReason) {
    const auto text = shown(
        show_submitter,
        R"({"submitter":"eip155:1:0xab","chain":"main","address":"0xab","status":"PROTECT",)"
        R"("statusReason":"outside use",)"
        R"("statusSince":"2026","inFlightState":"IN_FLIGHT","inFlight":[{"txId":"x"}],"nextNonce":null,"window":16,)"
        R"("counts":{"QUEUED":2,"TRACKING":0,"CONFIRMED":5},"pending":2,"confirmed":5,"failed":0,)"
        R"("lease":{"owner":"node-1","fencingToken":9,"expiresAt":"2027","held":true},"balance":null,)"
        R"("balanceError":"no endpoint answers","oldestPending":null,"stopped":"The key was used elsewhere."})");
    EXPECT_EQ(text,
              "submitter     eip155:1:0xab\n"
              "chain         main\n"
              "status        PROTECT\n"
              "reason        outside use\n"
              "since         2026\n"
              "stopped       The key was used elsewhere.\n"
              "served by     node-1, until 2027, token 9\n"
              "in flight     1 of 16\n"
              "window        16\n"
              "balance       unknown: no endpoint answers\n"
              "transactions  QUEUED 2, CONFIRMED 5\n");
}

TEST(SubmitterView, ShowsWhatLimitsTheWindow) {
    const auto window_line = [](const std::string& fields) {
        const auto text = shown(show_submitter, R"({"submitter":"s","window":8,)" + fields + "}");
        const auto begin = text.find("window ");
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    EXPECT_EQ(window_line(R"("windowConfigured":"auto","windowLimit":"demand","windowSince":null)"),
              "window     8 (auto)");
    EXPECT_EQ(window_line(R"("windowConfigured":"auto","windowLimit":"pool_full","windowSince":"2026")"),
              "window     8 (auto; limited by pool_full since 2026)");
    EXPECT_EQ(window_line(R"("windowConfigured":8,"windowLimit":"ceiling","windowSince":null)"),
              "window     8 (limited by nonce.window)");
    EXPECT_EQ(window_line(R"("windowConfigured":16,"windowLimit":"delegated","windowSince":"2026")"),
              "window     8 (limited by delegated since 2026)");
}

TEST(ChainView, ListsEndpointsUnderTheirChain) {
    EXPECT_EQ(
        shown(show_chains, R"({"items":[{"name":"main","id":"eip155:1","head":{"number":43,"hash":"0x","age":"1.2s"},)"
                           R"("endpoints":[{"name":"a","state":"ok","head":43,"lag":0}]}]})"),
        "CHAIN  ID        ENDPOINT  STATE  HEAD  LAG  AGE\n"
        "main   eip155:1  -         -      43    -    1.2s\n"
        "main   eip155:1  a         ok     43    0    -\n");
}

TEST(ClusterView, MarksTheRespondingNode) {
    EXPECT_EQ(
        shown(show_cluster, R"({"node":"b","version":"0.1","nodes":[{"id":"a","address":"h:1","startedAt":"1",)"
                            R"("heartbeatAt":"2"},{"id":"b","address":"h:2","startedAt":"3","heartbeatAt":"4"}]})"),
        "NODE           ADDRESS  STARTED  HEARTBEAT  ABLE\n"
        "a              h:1      1        2          unknown\n"
        "b (this node)  h:2      3        4          unknown\n"
        "version 0.1\n");
}

TEST(ClusterView, ShowsFailingChainsAndSigners) {
    const auto with = [](const char* ability) {
        return fmt::format(R"({{"node":"b","version":"0.1","nodes":[{{"id":"a","address":"h:1","startedAt":"1",)"
                           R"("heartbeatAt":"2","ability":{}}}]}})",
                           ability);
    };
    EXPECT_THAT(shown(show_cluster, with(R"({"chains":[{"chain":"eip155:1","able":true,"cause":null}],"signers":[]})")),
                HasSubstr(" 2          yes\n"));
    EXPECT_THAT(
        shown(show_cluster, with(R"({"chains":[{"chain":"eip155:1","able":false,"cause":"no_head"}],)"
                                 R"("signers":[{"submitter":"eip155:1:0xab","able":false,"cause":"no_key"}]})")),
        HasSubstr(" not eip155:1 (no_head), eip155:1:0xab (no_key)\n"));
}

}  // namespace
}  // namespace fencepost::cli
