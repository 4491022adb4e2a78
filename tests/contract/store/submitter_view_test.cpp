// The view of a submitter, and the acceptance time of an intent: the same in every store.
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class SubmitterViewContract : public StoreContract {
protected:
    Task<void> in_flight_and_oldest() {
        const auto empty = (co_await store().submitter(submitter_)).value();
        EXPECT_TRUE(empty.in_flight.empty());
        EXPECT_FALSE(empty.oldest_pending);
        EXPECT_FALSE(empty.status_since);
        EXPECT_FALSE(empty.held);

        const auto ids = co_await accepted(4);
        const auto fence = co_await opened(&store(), node_a_);
        for (std::uint64_t i = 0; i < 3; ++i)
            EXPECT_EQ(co_await write(&store(), allocation(fence, ids[i], i)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = ids[0],
                                                          .expected = allocated_position,
                                                          .to = mined,
                                                          .receipt = receipt_of(attempt(0), 5)})),
                  WriteAnswer::applied);
        auto view = (co_await other().submitter(submitter_)).value();
        EXPECT_EQ(view.in_flight, (std::vector<SubmitterView::InFlight>{{ids[1], Nonce(1)}, {ids[2], Nonce(2)}}))
            << "a nonce that is mined is consumed";
        EXPECT_EQ(view.oldest_pending.value().tx, ids[0]) << "it has no verdict yet";
        EXPECT_EQ(view.oldest_pending.value().created_at, (co_await this->view(ids[0])).created_at);
        EXPECT_EQ(co_await write(&store(), update(fence, {.tx = ids[0], .expected = mined, .to = confirmed})),
                  WriteAnswer::applied);
        view = (co_await other().submitter(submitter_)).value();
        EXPECT_EQ(view.oldest_pending.value().tx, ids[1]);
        EXPECT_FALSE((co_await other().submitter(second_)).value().oldest_pending);
    }

    using Counts = std::map<State, std::uint64_t>;
    Task<Counts> counts() { co_return (co_await other().submitter(submitter_)).value().counts; }

    Task<void> verdicts() {
        const auto ids = co_await accepted(4);
        const auto fence = co_await opened(&store(), node_a_);
        const TxUpdate rejection{.tx = ids[0], .expected = queued, .to = {State::rejected}};
        EXPECT_EQ(co_await write(&store(), update(fence, rejection)), WriteAnswer::applied);
        EXPECT_EQ(co_await counts(), (Counts{{State::queued, 3}, {State::rejected, 1}}));
        EXPECT_EQ(co_await write(&store(), update(fence, rejection)), WriteAnswer::conflict) << "it has its verdict";

        auto both = update(fence, {.tx = ids[1], .expected = queued, .to = {State::rejected}});
        both.transactions.push_back({.tx = ids[2], .expected = queued, .to = {State::cancelled}});
        auto stale = both;
        stale.fence.token = FenceToken(fence.token.value() + 1);
        EXPECT_EQ(co_await write(&store(), stale), WriteAnswer::fenced);
        EXPECT_EQ(co_await write(&store(), both), WriteAnswer::applied);
        const TxUpdate noted{.tx = ids[1], .expected = {State::rejected}, .to = {State::rejected}, .error = "why"};
        EXPECT_EQ(co_await write(&store(), update(fence, noted)), WriteAnswer::applied);
        EXPECT_EQ(co_await counts(), (Counts{{State::queued, 1}, {State::rejected, 2}, {State::cancelled, 1}}))
            << "each once, refused ones not at all";
        EXPECT_TRUE((co_await other().submitter(second_)).value().counts.empty());
    }

    Task<void> status_and_lease() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto before = (co_await store().submitter(submitter_)).value();
        EXPECT_TRUE(before.held);
        EXPECT_EQ((co_await other().owner(submitter_)).value(), node_a_);
        EXPECT_FALSE((co_await other().owner(second_)).value()) << "its lane was never opened";
        EXPECT_EQ(co_await write(&store(), {.submitter = submitter_,
                                            .fence = fence,
                                            .status = StatusChange{SubmitterStatus::paused, "month's end"}}),
                  WriteAnswer::applied);
        const auto after = (co_await other().submitter(submitter_)).value();
        EXPECT_EQ(after.status.reason, "month's end");
        EXPECT_GE(after.status_since.value(), before.lease.value().acquired_at);
        co_await lapse(fence);
        EXPECT_FALSE((co_await other().submitter(submitter_)).value().held) << "it expired";
        EXPECT_FALSE((co_await other().owner(submitter_)).value()) << "it expired";
    }

    Task<std::vector<std::string>> names(std::string after, std::size_t limit) {
        std::vector<std::string> found;
        for (const auto& submitter : (co_await other().submitters(std::move(after), limit)).value())
            found.push_back(submitter.to_string());
        co_return found;
    }

    // Each submitter is known in one way only.
    Task<void> all_on_record() {
        EXPECT_TRUE((co_await names("", 10)).empty());
        const auto with_lease = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000cc").value();
        const auto with_command = SubmitterId::parse("eip155:1:0x00000000000000000000000000000000000000dd").value();
        std::vector<NewIntent> batch{intent(submitter_, "r1"), intent(submitter_, "r2"), intent(second_, "r1")};
        EXPECT_TRUE((co_await store().accept(batch)).has_value());
        EXPECT_TRUE((co_await store().open(with_lease, node_a_, 10s)).has_value());
        EXPECT_TRUE((co_await store().post({.submitter = with_command, .kind = CommandKind::pause})).has_value());
        const std::vector all{submitter_.to_string(), second_.to_string(), with_lease.to_string(),
                              with_command.to_string()};
        EXPECT_EQ(co_await names("", 10), all);
        EXPECT_EQ(co_await names("", 1), std::vector{all[0]});
        EXPECT_EQ(co_await names(all[0], 2), (std::vector{all[1], all[2]}));
        EXPECT_TRUE((co_await names(all[3], 10)).empty());
    }

    Task<void> accepted_at() {
        const auto one = intent(submitter_, "r1");
        std::vector<NewIntent> batch{one};
        auto answers = (co_await store().accept(batch)).value();
        EXPECT_EQ(answers.at(0).accepted_at, (co_await view(one.id)).created_at);
        batch.push_back(intent(submitter_, "r2"));
        answers = (co_await store().accept(batch)).value();
        EXPECT_EQ(answers.at(0).accepted_at, std::nullopt) << "it was not accepted now";
        EXPECT_EQ(answers.at(1).accepted_at, (co_await view(batch[1].id)).created_at);
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, SubmitterViewContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(SubmitterViewContract, CountsEveryVerdictOnce) { run(verdicts()); }
TEST_P(SubmitterViewContract, ShowsInFlightAndOldestPending) { run(in_flight_and_oldest()); }
TEST_P(SubmitterViewContract, ShowsStatusTimeAndWhetherLeaseIsHeld) { run(status_and_lease()); }
TEST_P(SubmitterViewContract, ListsEveryRecordedSubmitter) { run(all_on_record()); }
TEST_P(SubmitterViewContract, AcceptReturnsRecordedTime) { run(accepted_at()); }

}  // namespace
}  // namespace fencepost::contract
