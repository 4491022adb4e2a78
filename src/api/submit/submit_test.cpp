// Submitting transactions: new and repeated requests, batches, and refused callers.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

using SubmitTransaction = ApiTest;

TEST_F(SubmitTransaction, NewTransactionIsDurableAndQueued) {
    const auto answer = post("/api/v1/tx", transfer("order-1", 7));
    ASSERT_EQ(answer.status(), 202) << answer.response.body;
    EXPECT_EQ(answer.text("state"), "QUEUED");
    EXPECT_EQ(answer.text("requestId"), "order-1");
    EXPECT_EQ(answer.json().at("payload").at("value"), "7");
    EXPECT_EQ(answer.response.headers.find("Location"), "/api/v1/tx/" + answer.text("txId"));
    const auto kept = run(store_->by_id(TxId(Uuid::parse(answer.text("txId")).value()))).value();
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->position.state, State::queued);
    EXPECT_FALSE(kept->nonce);
    EXPECT_EQ(woken_, std::vector{alice}) << "its lane is woken";
    EXPECT_EQ(recorded_.counted["tx_create_total/accepted"], 1U);
    EXPECT_EQ(recorded_.observed, 1U);
}

TEST_F(SubmitTransaction, ResponseEqualsALaterRead) {
    const auto answer = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(get("/api/v1/tx/" + answer.text("txId")).response.body, answer.response.body);
}

TEST_F(SubmitTransaction, RepeatedRequestReturnsTheSameTransaction) {
    const auto first = post("/api/v1/tx", transfer("order-1"));
    const auto again = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(again.status(), 200);
    EXPECT_EQ(again.response.body, first.response.body);
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1", 1, bob)).status(), 202) << "another submitter's own";
}

TEST_F(SubmitTransaction, ReusedRequestIdWithAnotherBodyIsRefused) {
    const auto first = post("/api/v1/tx", transfer("order-1", 1));
    const auto other = post("/api/v1/tx", transfer("order-1", 2));
    EXPECT_EQ(other.status(), 422);
    EXPECT_EQ(other.type(), "request-id-reused");
    EXPECT_EQ(other.text("txId"), first.text("txId")) << "the one that has the id";
    EXPECT_NE(other.text("detail").find(first.text("txId")), std::string::npos);
}

TEST_F(SubmitTransaction, HundredConcurrentRepetitionsMakeOneTransaction) {
    std::vector<std::shared_ptr<std::optional<Answer>>> answers;
    for (int i = 0; i < 100; ++i)
        answers.push_back(begin(post_request("/api/v1/tx", transfer("order-1"))));
    world_.run_for(1s);
    int fresh = 0;
    for (const auto& answer : answers) {
        ASSERT_TRUE(*answer);
        EXPECT_EQ((*answer)->text("txId"), (*answers.front())->text("txId"));
        fresh += (*answer)->status() == 202 ? 1 : 0;
    }
    EXPECT_EQ(fresh, 1);
    EXPECT_EQ(run(store_->list({})).value().size(), 1U);
    open_lane();
    allocate(TxId(Uuid::parse((*answers.front())->text("txId")).value()), 0);
    for (auto& answer : answers)
        answer = begin(post_request("/api/v1/tx", transfer("order-1")));
    world_.run_for(1s);
    for (const auto& answer : answers)
        EXPECT_EQ((*answer)->text("txHash"), to_hex_prefixed(hash(0).view()));
    EXPECT_EQ(run(store_->submitter(alice)).value().next_nonce, Nonce(1));
}

TEST_F(SubmitTransaction, RequiresARequestIdOrAnIdempotencyKey) {
    const auto body = fmt::format(R"({{"submitter":"{}","payload":{{"to":"{}"}}}})", alice, recipient);
    const auto without = post("/api/v1/tx", body);
    EXPECT_EQ(without.status(), 422);
    EXPECT_EQ(without.field(), "requestId");
    for (const auto* key : {"key-1", "\"key-1\""}) {
        auto request = post_request("/api/v1/tx", body);
        request.headers.add("Idempotency-Key", key);
        EXPECT_EQ(ask(std::move(request)).text("requestId"), "key-1");
    }
    auto both = post_request("/api/v1/tx", transfer("order-1"));
    both.headers.add("idempotency-key", "order-2");
    EXPECT_EQ(ask(std::move(both)).field(), "requestId");
}

TEST_F(SubmitTransaction, IdempotencyKeyIsForASingleTransaction) {
    auto twice = post_request("/api/v1/tx", transfer("key-1"));
    twice.headers.add("Idempotency-Key", "key-1");
    twice.headers.add("Idempotency-Key", "key-2");
    EXPECT_EQ(ask(std::move(twice)).field(), "Idempotency-Key");
    auto batch = post_request("/api/v1/tx/batch", fmt::format(R"({{"items":[{}]}})", transfer("key-1")));
    batch.headers.add("Idempotency-Key", "key-1");
    EXPECT_EQ(ask(std::move(batch)).field(), "Idempotency-Key");
    EXPECT_TRUE(run(store_->list({})).value().empty());
}

class OptionalIds : public ApiTest {
protected:
    OptionalIds() : ApiTest({.require_request_id = false}) {}
};

TEST_F(OptionalIds, RequestsWithoutIdsMakeSeparateTransactions) {
    const auto body = fmt::format(R"({{"submitter":"{}","payload":{{"to":"{}"}}}})", alice, recipient);
    const auto first = post("/api/v1/tx", body);
    const auto second = post("/api/v1/tx", body);
    EXPECT_EQ(first.status(), 202) << first.response.body;
    EXPECT_EQ(second.status(), 202) << second.response.body;
    EXPECT_NE(first.text("txId"), second.text("txId"));
}

TEST_F(SubmitTransaction, RejectsANonceAndHidesNoncesFromNonAdmins) {
    authenticator_.caller.scope = Scope::write;
    auto body = transfer("order-1");
    body.insert(1, R"("nonce":5,)");
    const auto refused = post("/api/v1/tx", body);
    EXPECT_EQ(refused.status(), 422);
    EXPECT_EQ(refused.type(), "nonce-not-accepted");
    const auto inside =
        fmt::format(R"({{"submitter":"{}","requestId":"a","payload":{{"to":"{}","Nonce":"1"}}}})", alice, recipient);
    EXPECT_EQ(post("/api/v1/tx", inside).type(), "nonce-not-accepted");
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).response.body.find("nonce"), std::string::npos);
    authenticator_.caller.scope = Scope::admin;
    EXPECT_NE(post("/api/v1/tx", transfer("order-1")).response.body.find(R"("nonce":null)"), std::string::npos);
}

TEST_F(SubmitTransaction, AcceptsABareAddressWithASingleChain) {
    const auto body =
        fmt::format(R"({{"submitter":"{}","requestId":"a","payload":{{"to":"{}"}}}})", alice.account(), recipient);
    EXPECT_EQ(post("/api/v1/tx", body).text("submitter"), alice.to_string());
}

class TwoChains : public ApiTest {
protected:
    TwoChains() : ApiTest({}, 2) {}
};

TEST_F(TwoChains, RejectsABareAddressWithSeveralChains) {
    const auto body =
        fmt::format(R"({{"submitter":"{}","requestId":"a","payload":{{"to":"{}"}}}})", alice.account(), recipient);
    const auto answer = post("/api/v1/tx", body);
    EXPECT_EQ(answer.field(), "submitter");
    EXPECT_NE(answer.why().find("eip155:31337 (dev), eip155:5 (other)"), std::string::npos) << answer.why();
}

TEST_F(SubmitTransaction, ForbidsOtherSubmitters) {
    authenticator_.caller.scope = Scope::read;
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).status(), 403);
    authenticator_.caller = {.name = "shop", .scope = Scope::write, .submitters = std::vector{bob}};
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).type(), "forbidden");
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1", 1, bob)).status(), 202);
}

TEST_F(SubmitTransaction, RejectsASubmitterWithoutAKey) {
    facts_.keys = {bob};
    const auto answer = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(answer.status(), 422);
    EXPECT_EQ(answer.field(), "submitter");
}

TEST_F(SubmitTransaction, RulesApplyToNewRequestsOnly) {
    const auto first = post("/api/v1/tx", transfer("order-1"));
    rules_.refusal = Refusal{"payload.value", "is more than the policy allows"};
    const auto refused = post("/api/v1/tx", transfer("order-2"));
    EXPECT_EQ(refused.status(), 422);
    EXPECT_EQ(refused.type(), "policy-refused");
    EXPECT_EQ(refused.field(), "payload.value");
    const auto again = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(again.status(), 200) << "its caller may not have heard the first answer";
    EXPECT_EQ(again.text("txId"), first.text("txId"));
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1", 2)).type(), "request-id-reused");
}

TEST_F(SubmitTransaction, RoutingRefusesOtherNodesSubmittersUnlessKnown) {
    const auto first = post("/api/v1/tx", transfer("order-1"));
    served_elsewhere_ = alice;
    const auto refused = post("/api/v1/tx", transfer("order-2"));
    EXPECT_EQ(refused.status(), 409);
    EXPECT_EQ(refused.type(), "not-owner");
    EXPECT_NE(refused.text("detail").find("retry in a moment"), std::string::npos) << "no node holds its lease";
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).text("txId"), first.text("txId"));
    EXPECT_EQ(post("/api/v1/tx", transfer("order-2", 1, bob)).status(), 202);
}

TEST_F(SubmitTransaction, RefusalNamesTheOwningNode) {
    served_elsewhere_ = alice;
    EXPECT_TRUE(run(store_->open(alice, NodeId("node-2"), 10s)).value().fence);
    const auto detail = [this] { return post("/api/v1/tx", transfer("order-1")).text("detail"); };
    EXPECT_NE(detail().find("node node-2, which has no recent heartbeat"), std::string::npos);
    EXPECT_TRUE(run(store_->heartbeat(NodeId("node-2"), "http://10.0.0.2:8646", {})));
    EXPECT_NE(detail().find("is served by node node-2: send the request to http://10.0.0.2:8646."), std::string::npos);
}

TEST_F(SubmitTransaction, StoppedSubmitterRefusesWithTheReason) {
    const auto first = post("/api/v1/tx", transfer("order-1"));
    open_lane();
    for (const auto& [status, type] : {std::pair{SubmitterStatus::paused, "submitter-paused"},
                                       std::pair{SubmitterStatus::protect, "submitter-protected"}}) {
        LaneWrite stop{.submitter = alice, .fence = fence_, .status = StatusChange{status, "a key may be stolen"}};
        EXPECT_EQ(run(store_->write({stop})).value().at(0), WriteAnswer::applied);
        const auto refused = post("/api/v1/tx", transfer("order-2"));
        EXPECT_EQ(refused.status(), 409);
        EXPECT_EQ(refused.type(), type);
        EXPECT_NE(refused.text("detail").find("a key may be stolen"), std::string::npos);
        EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).status(), 200);
    }
}

TEST_F(SubmitTransaction, BatchAnswersEachItem) {
    accepted("known");
    const auto body =
        fmt::format(R"({{"items":[{},{},{{"submitter":5}},{}]}})", transfer("a"), transfer("known"), transfer("a"));
    const auto answer = post("/api/v1/tx/batch", body);
    ASSERT_EQ(answer.status(), 200) << answer.response.body;
    const auto parsed = answer.json();
    const auto& items = parsed.at("items").as_array();
    ASSERT_EQ(items.size(), 4U);
    EXPECT_EQ(items[0].at("status"), 202);
    EXPECT_EQ(items[1].at("status"), 200);
    EXPECT_EQ(items[2].at("status"), 422);
    EXPECT_EQ(items[2].at("problem").at("type"), "urn:fencepost:problem:invalid-request");
    EXPECT_EQ(items[3].at("status"), 200) << "the same as the first";
    EXPECT_EQ(items[3].at("transaction").at("txId"), items[0].at("transaction").at("txId"));
    EXPECT_EQ(authenticator_.charged, 3U) << "beyond the request itself: each item counts as one";
}

TEST_F(SubmitTransaction, RejectsAnEmptyOrOversizedBatch) {
    std::string items = transfer("x");
    for (int i = 0; i < 1'000; ++i)
        items += "," + transfer("x");
    for (const auto& body : {R"({"items":[)" + items + "]}", std::string(R"({"items":[]})"), std::string("{}"),
                             std::string("[]"), std::string(R"({"item":[]})")}) {
        const auto answer = post("/api/v1/tx/batch", body);
        EXPECT_EQ(answer.status(), 422);
        EXPECT_EQ(answer.field(), "items") << body.substr(0, 20);
    }
}

}  // namespace
}  // namespace fencepost::api
