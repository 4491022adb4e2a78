// Nonces of relaxed mode: reserved by one caller at a time, used or released, fenced like every write.
#include "relaxed_fixture.hpp"

namespace fencepost::contract {
namespace {

class RelaxedContract : public RelaxedFixture {
protected:
    Task<void> smallest_first() {
        const auto fence = co_await opened(&store(), node_a_);
        for (std::uint64_t i = 0; i < 4; ++i)
            EXPECT_EQ(co_await reserve(fence, one_), Nonce(i));
        for (const std::uint64_t nonce : {2U, 1U}) {
            EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(nonce), "refused")).value(),
                      WriteAnswer::applied);
        }
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(1));
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(2));
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(4));
        const auto counts = (co_await store().allocations(submitter_)).value();
        EXPECT_EQ(counts.reserved, 5U);
        EXPECT_EQ(counts.recyclable, 0U);
    }

    Task<void> max_of_chain_and_local() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(fence, one_, 10), Nonce(10));
        EXPECT_EQ(co_await reserve(fence, one_, 5), Nonce(11));
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(10), "x")).value(),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_, 20), Nonce(20))
            << "10 is below the chain's count: not reused, and not retired before it is final";
        const auto counts = (co_await store().allocations(submitter_)).value();
        EXPECT_EQ(counts.recyclable, 1U);
        EXPECT_EQ(counts.used, 0U);
    }

    Task<void> late_marks_are_refused() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0));
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(1)) << "an unexpired reservation belongs to its owner";
        EXPECT_EQ(co_await reserve(fence, one_, 0, 100ms), Nonce(2));
        co_await sleep(150ms);
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(2)) << "recycled after its time-out";
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, one_, Nonce(2), {})).value(), WriteAnswer::conflict);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(2), "x")).value(),
                  WriteAnswer::conflict);
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, two_, Nonce(2), {})).value(), WriteAnswer::applied);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, two_, Nonce(2), "x")).value(),
                  WriteAnswer::conflict)
            << "a used nonce is never released";
    }

    Task<void> bounds_differ() {
        const auto fence = co_await opened(&store(), node_a_);
        for (std::uint64_t i = 0; i < 4; ++i)
            EXPECT_EQ(co_await reserve(fence, one_), Nonce(i));
        for (const std::uint64_t nonce : {0U, 1U, 2U}) {
            EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(nonce), "x")).value(),
                      WriteAnswer::applied);
        }
        EXPECT_EQ(co_await reserve(fence, one_, {.pending = Nonce(2), .next = Nonce(9)}), Nonce(2))
            << "the local count does not limit recycled nonces";
        EXPECT_EQ(co_await reserve(fence, one_, {.pending = Nonce(2), .next = Nonce(9)}), Nonce(9))
            << "new nonces are not below it";
        const auto counts = (co_await store().allocations(submitter_)).value();
        EXPECT_EQ(counts.used, 0U);
        EXPECT_EQ(counts.recyclable, 2U) << "taken for now; an eviction or a reorg may free them";
        EXPECT_EQ(co_await reserve(fence, one_, 1), Nonce(1));
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0));
    }

    Task<void> in_flight_never_times_out() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto mined = hash_of(1);
        EXPECT_EQ(co_await reserve(fence, one_, 0, 50ms), Nonce(0));
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, two_, Nonce(0), mined)).value(),
                  WriteAnswer::conflict);
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, one_, Nonce(0), mined)).value(),
                  WriteAnswer::applied);
        co_await sleep(100ms);
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(1)) << "its bytes may have been broadcast";
        const auto counts = (co_await store().allocations(submitter_)).value();
        EXPECT_EQ(counts.reserved, 1U);
        EXPECT_EQ(counts.in_flight, 1U);
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, one_, Nonce(0), mined)).value(), WriteAnswer::applied);
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, one_, Nonce(0), hash_of(2))).value(),
                  WriteAnswer::conflict)
            << "a fork can remove only the hash that used it";
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, one_, Nonce(0), mined)).value(),
                  WriteAnswer::applied);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(0), "refused")).value(),
                  WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, two_, 0, 50ms), Nonce(0));
        co_await sleep(100ms);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0)) << "an old hash does not protect a later owner";
    }

    Task<void> aligned() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0));
        const auto lifted = (co_await store().align(submitter_, fence, Nonce(7))).value();
        EXPECT_EQ(lifted.answer, WriteAnswer::applied);
        EXPECT_EQ(lifted.before, Nonce(1));
        EXPECT_EQ(lifted.after, Nonce(7));
        const auto kept = (co_await store().align(submitter_, fence, Nonce(3))).value();
        EXPECT_EQ(kept.before, Nonce(7));
        EXPECT_EQ(kept.after, Nonce(7));
        const auto counts = (co_await store().allocations(submitter_)).value();
        EXPECT_EQ(counts.reserved, 1U);
        EXPECT_EQ(counts.used, 0U) << "no hash of 0 was found";
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(7));
    }

    // Permanently refused: writes the verdict and releases the nonce.
    LaneWrite giving_back(const Fence& fence, const TxId& tx, std::uint64_t nonce) {
        auto write = update(fence, {.tx = tx,
                                    .expected = allocated_position,
                                    .to = {State::failed_final, SubState::none},
                                    .error = "refused"});
        write.nonce_marks = {{.nonce = Nonce(nonce), .status = AllocationStatus::recyclable, .reason = "refused"}};
        return write;
    }

    Task<void> marks_come_with_the_change() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(2);
        EXPECT_EQ(co_await reserve(fence, lane_owner), Nonce(0));
        EXPECT_EQ(co_await write(&store(), in_flight(fence, ids[0], 0, std::nullopt)), WriteAnswer::applied);
        EXPECT_EQ((co_await store().allocations(submitter_)).value().in_flight, 1U);
        EXPECT_EQ(co_await write(&store(), giving_back(fence, ids[0], 0)), WriteAnswer::applied);
        EXPECT_EQ((co_await store().allocations(submitter_)).value().recyclable, 1U);
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(0))).value(), Nonce(0));
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(1))).value(), std::nullopt);
        EXPECT_TRUE((co_await store().load(submitter_)).value().watched.empty()) << "the nonce is unassigned";

        EXPECT_EQ(co_await reserve(fence, lane_owner), Nonce(0));
        EXPECT_EQ(co_await write(&store(), in_flight(fence, ids[1], 0, Nonce(1))), WriteAnswer::applied)
            << "another transaction may get it";
        const auto watched = (co_await store().load(submitter_)).value().watched;
        EXPECT_EQ(watched.size(), 1U);
        EXPECT_EQ(watched.at(0).id, ids[1]);
        EXPECT_EQ((co_await store().by_id(ids[0])).value()->nonce, Nonce(0)) << "it still shows the nonce it had";
    }

    Task<void> a_mark_that_does_not_fit_is_a_conflict() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(2);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0));
        EXPECT_EQ(co_await write(&store(), in_flight(fence, ids[0], 0, std::nullopt)), WriteAnswer::conflict)
            << "another owner's reservation";
        EXPECT_EQ((co_await store().by_id(ids[0])).value()->position, Position{}) << "nothing of it is written";
        EXPECT_EQ(co_await write(&store(), in_flight(fence, ids[0], 1, std::nullopt)), WriteAnswer::applied)
            << "allocated while the key was exclusive: it has no reservation";
        const auto hash = hash_of(1);
        const NonceMark used{.nonce = Nonce(1), .status = AllocationStatus::used, .hash = hash};
        EXPECT_EQ(co_await write(&store(), marking(fence, used)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), marking(fence, used)), WriteAnswer::conflict) << "it is already used";
        auto back = used;
        back.status = AllocationStatus::reserved;
        back.hash = hash_of(2);
        EXPECT_EQ(co_await write(&store(), marking(fence, back)), WriteAnswer::conflict) << "another hash used it";
        back.hash = hash;
        EXPECT_EQ(co_await write(&store(), marking(fence, back)), WriteAnswer::applied) << "a fork removed it";
        EXPECT_EQ((co_await store().allocations(submitter_)).value().in_flight, 1U);
    }

    Task<void> what_a_lane_of_before_reserved_is_free() {
        const auto before = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(before, lane_owner), Nonce(0));
        EXPECT_EQ(co_await reserve(before, one_), Nonce(1));
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(0))).value(), std::nullopt);
        const auto now = co_await opened(&store(), node_a_);
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(0))).value(), Nonce(0));
        EXPECT_EQ(co_await reserve(now, lane_owner), Nonce(0)) << "its bytes were never sent";
        EXPECT_EQ(co_await reserve(now, lane_owner), Nonce(2)) << "a caller's reservation outlives the lane's opening";
    }

    Task<void> expect_fenced(Fence stale) {
        EXPECT_EQ((co_await store().reserve(submitter_, stale, one_, {}, 1s)).value().answer, WriteAnswer::fenced);
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, stale, one_, Nonce(0), {})).value(),
                  WriteAnswer::fenced);
        EXPECT_EQ((co_await store().mark_used(submitter_, stale, one_, Nonce(0), {})).value(), WriteAnswer::fenced);
        EXPECT_EQ((co_await store().align(submitter_, stale, Nonce(50))).value().answer, WriteAnswer::fenced);
        EXPECT_EQ(co_await write(&store(), marking(stale, {.nonce = Nonce(0), .status = AllocationStatus::used})),
                  WriteAnswer::fenced);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, stale, one_, Nonce(0), "")).value(),
                  WriteAnswer::fenced);
    }

    Task<void> stale_tokens_are_fenced() {
        const auto a = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(a, one_), Nonce(0));
        co_await lapse(a);
        co_await expect_fenced(a);
        std::ignore = co_await opened(&other(), node_b_);
        co_await expect_fenced(a);
        EXPECT_EQ((co_await store().allocations(submitter_)).value().reserved, 1U);
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, RelaxedContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(RelaxedContract, TakesSmallestRecyclableNonceFirst) { run(smallest_first()); }
TEST_P(RelaxedContract, TakesHigherOfChainAndLocalCount) { run(max_of_chain_and_local()); }
TEST_P(RelaxedContract, RejectsLateMarkAfterTimeout) { run(late_marks_are_refused()); }
TEST_P(RelaxedContract, ChainCountAndAllocationsAreSeparateBounds) { run(bounds_differ()); }
TEST_P(RelaxedContract, InFlightNoncesNeverTimeOutAndReturnAfterFork) { run(in_flight_never_times_out()); }
TEST_P(RelaxedContract, AligningRaisesCountWithoutTouchingAllocations) { run(aligned()); }
TEST_P(RelaxedContract, MarksNonceWithItsChangeAndReusesReleasedOne) { run(marks_come_with_the_change()); }
TEST_P(RelaxedContract, MismatchedMarkIsConflictAndWritesNothing) { run(a_mark_that_does_not_fit_is_a_conflict()); }
TEST_P(RelaxedContract, UnsentReservationOfEarlierOpeningIsFreeAtOnce) {
    run(what_a_lane_of_before_reserved_is_free());
}
TEST_P(RelaxedContract, FencesEveryWriteUnderStaleToken) { run(stale_tokens_are_fenced()); }

}  // namespace
}  // namespace fencepost::contract
