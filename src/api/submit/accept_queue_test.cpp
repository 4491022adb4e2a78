// How accepts are batched, and that none is lost or executed twice.
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class AcceptQueueTest : public ApiTest {
protected:
    explicit AcceptQueueTest(ApiOptions options = {}) : ApiTest(options) {}

    std::vector<std::shared_ptr<std::optional<Answer>>> begin_many(int count) {
        std::vector<std::shared_ptr<std::optional<Answer>>> answers;
        for (int i = 0; i < count; ++i)
            answers.push_back(begin(post_request("/api/v1/tx", transfer(fmt::format("order-{}", i)))));
        return answers;
    }
};

TEST_F(AcceptQueueTest, BatchesRequestsThatArriveDuringACommit) {
    intake_.slow = 10ms;
    const auto first = begin(post_request("/api/v1/tx", transfer("first")));
    world_.run_for(1ms);
    const auto rest = begin_many(600);
    world_.run_for(1s);
    EXPECT_EQ(intake_.batches, (std::vector<std::size_t>{1, 500, 100}));
    EXPECT_EQ(recorded_.measured, (std::vector<std::uint64_t>{1, 500, 100}));
    EXPECT_EQ((*first)->status(), 202);
    for (const auto& answer : rest)
        EXPECT_EQ((*answer)->status(), 202);
}

TEST_F(AcceptQueueTest, RepeatsABatchWithUnknownOutcome) {
    intake_.next = FaultyIntake::Fault::after_commit;
    const auto answer = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(answer.status(), 202) << "to its caller it is new";
    EXPECT_EQ(run(store_->list({})).value().size(), 1U);
    EXPECT_EQ(intake_.batches.size(), 2U);
    EXPECT_EQ(woken_, std::vector{alice});
}

TEST_F(AcceptQueueTest, ReportsAnUnavailableStoreAtOnce) {
    intake_.next = FaultyIntake::Fault::before_commit;
    const auto answer = post("/api/v1/tx", transfer("order-1"));
    EXPECT_EQ(answer.status(), 503);
    EXPECT_EQ(answer.type(), "store-unavailable");
    EXPECT_EQ(answer.response.headers.find("Retry-After"), "1");
    EXPECT_TRUE(run(store_->list({})).value().empty());
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).status(), 202);
}

TEST_F(AcceptQueueTest, TimesOutWhenTheStoreDoesNotAnswer) {
    intake_.slow = 20s;
    const auto written = begin(post_request("/api/v1/tx", transfer("under way")));
    world_.run_for(1s);
    const auto waits = begin(post_request("/api/v1/tx", transfer("waits")));
    world_.run_for(4001ms);
    ASSERT_TRUE(*written);
    EXPECT_EQ((*written)->status(), 503);
    EXPECT_EQ((*written)->response.headers.find("Retry-After"), "1");
    EXPECT_NE((*written)->text("detail").find("same requestId"), std::string::npos) << "it may be written yet";
    EXPECT_FALSE(*waits) << "it came later";
    const auto meanwhile = begin(post_request("/api/v1/tx", transfer("meanwhile")));
    world_.run_for(1ms);
    ASSERT_TRUE(*meanwhile) << "at once: that the store is away is known";
    EXPECT_EQ((*meanwhile)->type(), "store-unavailable");
    world_.run_for(1s);
    ASSERT_TRUE(*waits);
    EXPECT_NE((*waits)->text("detail").find("nothing was changed"), std::string::npos);

    intake_.slow = {};
    world_.run_for(20s);
    EXPECT_EQ(intake_.batches, std::vector<std::size_t>{1}) << "a refused intent is not written later";
    EXPECT_EQ(post("/api/v1/tx", transfer("under way")).status(), 200);
    EXPECT_EQ(post("/api/v1/tx", transfer("waits")).status(), 202);
    EXPECT_EQ(run(store_->list({})).value().size(), 2U);
}

TEST_F(AcceptQueueTest, ProbesTheStoreAfterAFailure) {
    intake_.next = FaultyIntake::Fault::before_commit;
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).status(), 503);
    intake_.slow = 1500ms;
    const auto first = begin(post_request("/api/v1/tx", transfer("order-1")));
    world_.run_for(1ms);
    EXPECT_EQ(post("/api/v1/tx", transfer("order-2")).status(), 503) << "one is enough to find out";
    world_.run_for(1ms);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->status(), 503) << "and the probe times out quickly";
    intake_.slow = {};
    world_.run_for(1s);
    EXPECT_EQ(post("/api/v1/tx", transfer("order-1")).status(), 200) << "it was written, and the store is back";
    EXPECT_EQ(post("/api/v1/tx", transfer("order-2")).status(), 202);
}

TEST_F(AcceptQueueTest, AnswersWaitingCallersOnShutdown) {
    intake_.slow = 1h;
    const auto written = begin(post_request("/api/v1/tx", transfer("under way")));
    world_.run_for(1ms);
    const auto waits = begin(post_request("/api/v1/tx", transfer("waits")));
    world_.run_for(1ms);
    stop();
    ASSERT_TRUE(*written);
    ASSERT_TRUE(*waits);
    EXPECT_EQ((*written)->status(), 503);
    EXPECT_NE((*written)->text("detail").find("same requestId"), std::string::npos) << "it may have been written";
    EXPECT_EQ((*waits)->status(), 503);
    EXPECT_EQ(post("/api/v1/tx", transfer("late")).status(), 503);
}

class FewAccepts : public AcceptQueueTest {
protected:
    FewAccepts() : AcceptQueueTest({.max_waiting_accepts = 3}) {}
};

TEST_F(FewAccepts, RefusesCallersWhenTheQueueIsFull) {
    intake_.slow = 10ms;
    const auto first = begin(post_request("/api/v1/tx", transfer("first")));
    world_.run_for(1ms);
    const auto answers = begin_many(5);
    world_.run_for(1ms);
    EXPECT_FALSE(*answers[2]);
    ASSERT_TRUE(*answers[3]) << "at once";
    EXPECT_EQ((*answers[3])->status(), 503);
    EXPECT_EQ((*answers[3])->type(), "overloaded");
    EXPECT_EQ((*answers[3])->response.headers.find("Retry-After"), "1");
    EXPECT_EQ(recorded_.counted["tx_create_total/overloaded"], 2U);
    world_.run_for(1s);
    EXPECT_EQ(run(store_->list({})).value().size(), 4U);
}

class FewBytes : public AcceptQueueTest {
protected:
    FewBytes() : AcceptQueueTest({.max_waiting_accept_bytes = 100}) {}

    static http::Request large(std::string_view id) {
        return post_request(
            "/api/v1/tx", fmt::format(R"({{"submitter":"{}","requestId":"{}","payload":{{"data":"0x{}"}}}})", alice, id,
                                      std::string(120, 'a')));
    }
};

TEST_F(FewBytes, LimitsTheQueueInBytes) {
    intake_.slow = 10ms;
    for (int round = 0; round < 3; ++round) {
        const auto written = begin(large(fmt::format("written-{}", round)));
        world_.run_for(1ms);
        const auto waits = begin(large(fmt::format("waits-{}", round)));
        world_.run_for(1ms);
        const auto refused = begin(large(fmt::format("refused-{}", round)));
        world_.run_for(1s);
        EXPECT_EQ((*written)->status(), 202);
        EXPECT_EQ((*waits)->status(), 202);
        EXPECT_EQ((*refused)->type(), "overloaded") << "and room is made again: round " << round;
    }
    const auto written = begin(large("written"));
    world_.run_for(1ms);
    const auto waits = begin(post_request("/api/v1/tx", transfer("waits")));
    const auto fits = begin(large("fits"));
    world_.run_for(1s);
    EXPECT_EQ((*written)->status(), 202);
    EXPECT_EQ((*waits)->status(), 202);
    EXPECT_EQ((*fits)->status(), 202) << "what is written still counts";
}

}  // namespace
}  // namespace fencepost::api
