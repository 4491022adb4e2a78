// Acceptance: durable, idempotent, in order; an invalid item does not affect its neighbours.
#include "base/async/task_group.hpp"
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

class AcceptContract : public StoreContract {
protected:
    Task<AcceptAnswer> accept(NewIntent one) {
        std::vector<NewIntent> batch;
        batch.push_back(std::move(one));
        co_return (co_await store().accept(std::move(batch))).value().at(0);
    }

    Task<void> set_status(SubmitterStatus status, std::string reason) {
        LaneWrite change{.submitter = submitter_, .fence = co_await opened(&store(), node_a_)};
        change.status = StatusChange{status, std::move(reason)};
        EXPECT_EQ(co_await write(&store(), std::move(change)), WriteAnswer::applied);
    }

    Task<void> new_same_other() {
        const auto original = intent(submitter_, "r1", 5);
        EXPECT_EQ((co_await accept(original)).kind, AcceptKind::accepted);
        const auto again = co_await accept(intent(submitter_, "r1", 5));
        EXPECT_EQ(again.kind, AcceptKind::same_again);
        EXPECT_EQ(again.id, original.id);
        const auto other = co_await accept(intent(submitter_, "r1", 6));
        EXPECT_EQ(other.kind, AcceptKind::other_body);
        EXPECT_EQ(other.id, original.id);
        const auto stored = co_await view(original.id);
        EXPECT_EQ(stored.position, queued);
        EXPECT_EQ(stored.nonce, std::nullopt);
        EXPECT_EQ(stored.intent, original.intent);
        EXPECT_EQ(stored.request, original.request);
    }

    Task<void> refused_but_known_answered() {
        const auto known = intent(submitter_, "known");
        EXPECT_EQ((co_await accept(known)).kind, AcceptKind::accepted);
        co_await set_status(SubmitterStatus::protect, "key used elsewhere by 0xabc");
        const auto refused = co_await accept(intent(submitter_, "new"));
        EXPECT_EQ(refused.kind, AcceptKind::submitter_protected);
        EXPECT_EQ(refused.reason, "key used elsewhere by 0xabc");
        const auto again = co_await accept(intent(submitter_, "known"));
        EXPECT_EQ(again.kind, AcceptKind::same_again);
        EXPECT_EQ(again.id, known.id);
        co_await set_status(SubmitterStatus::paused, "maintenance");
        EXPECT_EQ((co_await accept(intent(submitter_, "new"))).kind, AcceptKind::submitter_paused);
        co_await set_status(SubmitterStatus::active, "");
        EXPECT_EQ((co_await accept(intent(submitter_, "new"))).kind, AcceptKind::accepted);
    }

    Task<void> bad_item_among_good() {
        std::vector<NewIntent> batch{intent(submitter_, "a"),    intent(submitter_, std::string("b\0c", 3)),
                                     intent(submitter_, "\xff"), intent(submitter_, std::string(300, 'x')),
                                     intent(submitter_, "a"),    intent(second_, "a"),
                                     intent(submitter_, "a", 9)};
        const auto answers = (co_await store().accept(batch)).value();
        std::vector<AcceptKind> kinds;
        for (const auto& answer : answers)
            kinds.push_back(answer.kind);
        EXPECT_EQ(kinds,
                  (std::vector{AcceptKind::accepted, AcceptKind::invalid, AcceptKind::invalid, AcceptKind::invalid,
                               AcceptKind::same_again, AcceptKind::accepted, AcceptKind::other_body}));
        EXPECT_EQ(answers[4].id, batch[0].id);
        EXPECT_NE(answers[1].reason, "");
    }

    Task<void> order_is_as_asked() {
        std::vector<NewIntent> batch;
        for (const auto* name : {"z", "a", "m", "b"})
            batch.push_back(intent(submitter_, name));
        EXPECT_TRUE((co_await store().accept(batch)).has_value());
        const auto late = intent(submitter_, "0");
        EXPECT_EQ((co_await accept(late)).kind, AcceptKind::accepted);
        const auto queue = (co_await store().head_of_queue(submitter_, AcceptSequence(0), 10)).value();
        std::vector<TxId> ids;
        for (const auto& item : queue)
            ids.push_back(item.id);
        EXPECT_EQ(ids, (std::vector{batch[0].id, batch[1].id, batch[2].id, batch[3].id, late.id}));
    }

    Task<void> accept_into(NewIntent one, std::vector<AcceptAnswer>* answers, bool at_other) {
        std::vector<NewIntent> batch;
        batch.push_back(std::move(one));
        auto& at = at_other ? other() : store();
        answers->push_back((co_await at.accept(std::move(batch))).value().at(0));
    }

    Task<void> hundred_at_once() {
        std::vector<AcceptAnswer> answers;
        TaskGroup group(executor());
        for (int i = 0; i < 100; ++i)
            group.spawn(accept_into(intent(submitter_, "same", 7), &answers, i % 2 == 1));
        co_await group.join();
        EXPECT_EQ(answers.size(), 100U);
        std::size_t fresh = 0;
        for (const auto& answer : answers) {
            EXPECT_EQ(answer.id, answers[0].id);
            EXPECT_NE(answer.kind, AcceptKind::other_body);
            if (answer.kind == AcceptKind::accepted) ++fresh;
        }
        EXPECT_EQ(fresh, 1U);
        EXPECT_EQ((co_await store().list({.submitter = submitter_})).value().size(), 1U);
    }

    Task<void> again_by_id() {
        const auto one = intent(3);
        EXPECT_EQ((co_await accept(one)).kind, AcceptKind::accepted);
        EXPECT_EQ((co_await accept(one)).kind, AcceptKind::same_again);
        EXPECT_EQ((co_await store().list({.submitter = submitter_})).value().size(), 1U);
    }

    Task<void> event_of_acceptance() {
        const auto ids = co_await accepted(2);
        const auto events = (co_await store().read_after({}, 10)).value();
        EXPECT_EQ(events.size(), 2U);
        for (std::size_t i = 0; i < std::min<std::size_t>(events.size(), 2); ++i) {
            EXPECT_EQ(name_of(events[i].event.body), "TxAccepted");
            EXPECT_EQ(events[i].event.sequence, EventSequence(1));
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, AcceptContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(AcceptContract, DistinguishesNewRepeatedAndDifferentBody) { run(new_same_other()); }
TEST_P(AcceptContract, Failure24KnownRequestIsAnsweredBeforeAnyRefusal) { run(refused_but_known_answered()); }
TEST_P(AcceptContract, Failure13InvalidItemAffectsNoOther) { run(bad_item_among_good()); }
TEST_P(AcceptContract, QueueIsInAcceptanceOrder) { run(order_is_as_asked()); }
TEST_P(AcceptContract, HundredConcurrentAcceptsMakeOneTransaction) { run(hundred_at_once()); }
TEST_P(AcceptContract, SameTransactionIdMakesNoSecond) { run(again_by_id()); }
TEST_P(AcceptContract, AcceptanceIsAnEvent) { run(event_of_acceptance()); }

}  // namespace
}  // namespace fencepost::contract
