// A submitter's recent spending and backlog, as both stores report them.
#include <gmock/gmock.h>

#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class SpendingContract : public StoreContract {
protected:
    Task<std::map<TxId, RecentAllocation>> within(Duration window) {
        std::map<TxId, RecentAllocation> found;
        for (auto& allocation : (co_await other().allocated_within(submitter_, window)).value())
            EXPECT_TRUE(found.emplace(allocation.tx, allocation).second) << "each once";
        co_return found;
    }

    Task<void> dearest_attempt_counts() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(3);  // of 0, 1 and 2 wei
        EXPECT_TRUE((co_await within(1h)).empty());
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[0], 0)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[1], 1)), WriteAnswer::applied);
        auto dear = attempt(1, 2, AttemptKind::bump);
        dear.fees = DynamicFee{Wei(300), Wei(3)};
        auto cheap = attempt(1, 3, AttemptKind::bump);
        cheap.fees = LegacyFee{Wei(200)};
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = ids[1],
                                                          .expected = allocated_position,
                                                          .to = allocated_position,
                                                          .attempts = {dear, cheap}})),
                  WriteAnswer::applied);
        const auto found = co_await within(1h);
        EXPECT_EQ(found.size(), 2U) << "without a nonce nothing is spent";
        EXPECT_EQ(found.at(ids[0]).spending.value, Wei(0));
        EXPECT_EQ(found.at(ids[0]).spending.gas, Wei(21'000 * 100));
        EXPECT_EQ(found.at(ids[1]).spending.value, Wei(1));
        EXPECT_EQ(found.at(ids[1]).spending.gas, Wei(21'000 * 300));
        EXPECT_LT(found.at(ids[1]).ago, 30s);
        EXPECT_TRUE((co_await other().allocated_within(second_, 1h)).value().empty());
    }

    Task<void> claims_count() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(2);
        auto asked = allocation(fence, ids[1], 0);
        asked.transactions[0].attempts.clear();
        asked.transactions[0].claims = {claim(0)};
        EXPECT_EQ(co_await write(&store(), std::move(asked)), WriteAnswer::applied);
        const auto found = co_await within(1h);
        EXPECT_EQ(found.size(), 1U);
        EXPECT_EQ(found.at(ids[1]).spending.value, Wei(1)) << "the intent's";
        EXPECT_EQ(found.at(ids[1]).spending.gas, Wei(30'000 * 100));
    }

    Task<void> window_by_database_time() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(2);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[0], 0)), WriteAnswer::applied);
        co_await sleep(300ms);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[1], 1)), WriteAnswer::applied);
        const auto all = co_await within(1h);
        EXPECT_GE(all.at(ids[0]).ago - all.at(ids[1]).ago, 300ms);
        const auto recent = co_await within(all.at(ids[1]).ago + 200ms);
        EXPECT_FALSE(recent.contains(ids[0]));
    }

    Task<void> a_verdict_changes_nothing() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto tx = co_await allocated(fence);
        EXPECT_EQ(
            co_await write(
                &store(),
                update(fence,
                       {.tx = tx, .expected = allocated_position, .to = mined, .receipt = receipt_of(attempt(0), 1)})),
            WriteAnswer::applied);
        auto settled = update(fence, {.tx = tx, .expected = mined, .to = confirmed});
        settled.watch_from = Nonce(1);
        EXPECT_EQ(co_await write(&store(), std::move(settled)), WriteAnswer::applied);
        EXPECT_EQ((co_await within(1h)).size(), 1U);
    }

    Task<void> backlogs_of_the_owner() {
        EXPECT_TRUE((co_await other().backlogs(node_a_)).value().empty());
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ((co_await other().backlogs(node_a_)).value(), (std::vector{SubmitterBacklog{submitter_, 0, 0}}));
        const auto ids = co_await accepted(3);
        EXPECT_EQ(co_await write(&store(), allocation(fence, ids[0], 0)), WriteAnswer::applied);
        EXPECT_EQ((co_await other().backlogs(node_a_)).value(), (std::vector{SubmitterBacklog{submitter_, 2, 1}}));
        EXPECT_TRUE((co_await other().backlogs(node_b_)).value().empty()) << "only the lease owner reports it";
        const WindowState window{8, WindowLimit::pool_full};
        EXPECT_EQ(co_await write(&store(), {.submitter = submitter_, .fence = fence, .window = window}),
                  WriteAnswer::applied);
        EXPECT_EQ((co_await other().backlogs(node_a_)).value(),
                  (std::vector{SubmitterBacklog{submitter_, 2, 1, window}}));
        EXPECT_EQ(
            co_await write(&store(),
                           update(fence, {.tx = ids[1], .expected = queued, .to = {State::cancelled, SubState::none}})),
            WriteAnswer::applied);
        EXPECT_EQ((co_await other().backlogs(node_a_)).value(),
                  (std::vector{SubmitterBacklog{submitter_, 1, 1, window}}));
        std::vector<LeaseClaim> claims{{submitter_, fence}};
        EXPECT_TRUE((co_await store().release(std::move(claims))).has_value());
        EXPECT_TRUE((co_await other().backlogs(node_a_)).value().empty());
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, SpendingContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(SpendingContract, CountsMostExpensiveAttempt) { run(dearest_attempt_counts()); }
TEST_P(SpendingContract, CountsConnectorClaims) { run(claims_count()); }
TEST_P(SpendingContract, WindowCountsDatabaseTimeFromAllocation) { run(window_by_database_time()); }
TEST_P(SpendingContract, CountsSettledTransactions) { run(a_verdict_changes_nothing()); }
TEST_P(SpendingContract, LeaseOwnerGetsBacklog) { run(backlogs_of_the_owner()); }

}  // namespace
}  // namespace fencepost::contract
