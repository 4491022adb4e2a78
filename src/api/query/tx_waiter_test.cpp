// Long polling: when a waiting request is answered, and how often it polls meanwhile.
#include "api/query/tx_waiter.hpp"

#include "api/query/announcing_store.hpp"
#include "api/test_api.hpp"

namespace fencepost::api {
namespace {

class LongPolling : public ApiTest {
protected:
    explicit LongPolling(ApiOptions options = {}) : ApiTest(options) {}

    std::shared_ptr<std::optional<Answer>> begin_waiting(const TxId& tx, std::string query) {
        return begin({.path = fmt::format("/api/v1/tx/{}", tx.value()), .query = std::move(query)});
    }
    void confirm(const TxId& tx) {
        write({.tx = tx, .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}});
    }
    static TxUpdate receipt_of(const TxId& tx) {
        return {.tx = tx,
                .expected = {State::tracking},
                .to = {State::tracking, SubState::mined},
                .receipt = Receipt{.hash = hash(0),
                                   .block_number = BlockNumber(43),
                                   .block_hash = block(43).hash,
                                   .succeeded = true,
                                   .gas_used = Gas(21'000),
                                   .effective_gas_price = Wei(Uint256(100)),
                                   .contract = {}}};
    }

    /// What a lane of this node writes goes this way.
    WriteAnswer write_here(const Fence& fence, TxUpdate update) {
        LaneWrite write{.submitter = alice, .fence = fence, .transactions = {std::move(update)}};
        return run(lane_store_.write({std::move(write)})).value().at(0);
    }

    std::size_t announced_ = 0;

private:
    AnnouncingStore lane_store_{*store_, [this](const std::vector<TxChange>& changes) {
                                    announced_ += changes.size();
                                    api_->announce(changes);
                                }};
};

TEST_F(LongPolling, EndsWhenTheStateIsReached) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto mined = begin_waiting(tx, "wait=30s&until=mined");
    const auto confirmed = begin_waiting(tx, "wait=30s");
    world_.run_for(5s);
    EXPECT_FALSE(*mined);
    mine(tx, 0, 43);
    world_.run_for(2s);
    ASSERT_TRUE(*mined);
    EXPECT_EQ((*mined)->text("subState"), "MINED");
    EXPECT_FALSE(*confirmed);
    confirm(tx);
    world_.run_for(2s);
    ASSERT_TRUE(*confirmed);
    EXPECT_EQ((*confirmed)->text("state"), "CONFIRMED");
}

TEST_F(LongPolling, PollsForOtherNodesWithGrowingIntervals) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto begun = world_.now();
    const auto soon = begin_waiting(tx, "wait=30s&until=mined");
    const auto late = begin_waiting(tx, "wait=30s");
    mine(tx, 0, 43);
    world_.run_until(begun + 249ms);
    EXPECT_FALSE(*soon) << "no local commit was announced";
    world_.run_until(begun + 251ms);
    EXPECT_TRUE(*soon);
    world_.run_until(begun + 20s);
    const auto looked = world_.now();
    confirm(tx);
    while (!*late && world_.now() < looked + 2s)
        world_.run_for(10ms);
    EXPECT_TRUE(*late);
    EXPECT_GT(world_.now(), looked + 300ms) << "it looks only now and then by that time";
}

TEST_F(LongPolling, EndsAtOnceOnALocalCommit) {
    const auto tx = accepted("order-1");
    const auto another = accepted("order-2");
    open_lane();
    allocate(tx, 0);
    const auto mined = begin_waiting(tx, "wait=30s&until=mined");
    const auto confirmed = begin_waiting(tx, "wait=30s");
    const auto unconcerned = begin_waiting(another, "wait=30s");
    world_.run_for(10ms);
    EXPECT_EQ(write_here(fence_, receipt_of(tx)), WriteAnswer::applied);
    world_.run_for(1ms);
    ASSERT_TRUE(*mined);
    EXPECT_EQ((*mined)->text("subState"), "MINED");
    EXPECT_FALSE(*confirmed);
    const TxUpdate verdict{.tx = tx, .expected = {State::tracking, SubState::mined}, .to = {State::confirmed}};
    EXPECT_EQ(write_here(fence_, verdict), WriteAnswer::applied);
    world_.run_for(1ms);
    ASSERT_TRUE(*confirmed);
    EXPECT_EQ((*confirmed)->text("state"), "CONFIRMED");
    EXPECT_FALSE(*unconcerned);
    EXPECT_EQ(announced_, 2U);
}

TEST_F(LongPolling, DoesNotAnnounceFailedOrIrrelevantWrites) {
    const auto tx = accepted("order-1");
    open_lane();
    allocate(tx, 0);
    const auto stale = fence_;
    open_lane();
    EXPECT_EQ(write_here(stale, receipt_of(tx)), WriteAnswer::fenced);
    EXPECT_EQ(write_here(fence_, {.tx = tx, .expected = {State::tracking}, .to = {State::tracking}, .sends = 1}),
              WriteAnswer::applied);
    EXPECT_EQ(announced_, 0U);
}

class LeavingClient final : public http::Client {
public:
    void when_gone(std::function<void()> call) override { leave = std::move(call); }
    std::function<void()> leave;
};

TEST_F(LongPolling, EndsWhenTheClientDisconnects) {
    const auto tx = accepted("order-1");
    LeavingClient client;
    const auto answer =
        begin({.path = fmt::format("/api/v1/tx/{}", tx.value()), .query = "wait=30s", .client = &client});
    world_.run_for(10ms);
    ASSERT_TRUE(client.leave);
    EXPECT_FALSE(*answer);
    client.leave();
    world_.run_for(1ms);
    ASSERT_TRUE(*answer) << "a half-closed client reads it";
    EXPECT_EQ((*answer)->status(), 200);
    EXPECT_FALSE(client.leave) << "no request is waiting";
}

TEST(WaiterLimit, LeavesRoomForOtherRequests) {
    EXPECT_EQ(waiter_limit({.max_connections = 100, .max_connections_per_peer = 40, .max_requests = 60}), 20U);
    EXPECT_EQ(waiter_limit({.max_connections = 100, .max_connections_per_peer = 80, .max_requests = 60}), 30U);
    EXPECT_EQ(waiter_limit({.max_connections = 100'000, .max_connections_per_peer = 100'000, .max_requests = 100'000}),
              1'000U);
    EXPECT_EQ(waiter_limit({.max_requests = 1}), 1U);
}

TEST_F(LongPolling, EndsAtTheDeadlineOrOnShutdown) {
    const auto tx = accepted("order-1");
    const auto begun = world_.now();
    const auto answer = begin_waiting(tx, "wait=1500ms");
    const auto other = begin_waiting(tx, "wait=1m");
    world_.run_until(begun + 1499ms);
    EXPECT_FALSE(*answer);
    world_.run_until(begun + 1501ms);
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->status(), 200);
    EXPECT_EQ((*answer)->text("state"), "QUEUED");
    EXPECT_FALSE(*other);
    api_->stop_waiting();
    world_.run_for(1ms);
    ASSERT_TRUE(*other);
    EXPECT_EQ((*other)->status(), 200);
    for (const auto* wrong : {"wait=61s", "wait=2m", "wait=5", "wait=s", "wait=-1s", "until=now"})
        EXPECT_EQ(get(fmt::format("/api/v1/tx/{}?{}", tx.value(), wrong)).status(), 422) << wrong;
}

class FewWaiters : public LongPolling {
protected:
    FewWaiters() : LongPolling({.max_waiters = 1}) {}
};

TEST_F(FewWaiters, RefusesTooManyWaiters) {
    const auto tx = accepted("order-1");
    const auto first = begin_waiting(tx, "wait=10s");
    world_.run_for(1ms);
    const auto path = fmt::format("/api/v1/tx/{}", tx.value());
    const auto second = get(path + "?wait=10s");
    EXPECT_EQ(second.status(), 503);
    EXPECT_EQ(second.type(), "overloaded");
    EXPECT_EQ(get(path).status(), 200);
    EXPECT_FALSE(*first);
}

}  // namespace
}  // namespace fencepost::api
