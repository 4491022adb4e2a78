// Retirement of used nonces: once finalized, their rows are deleted, and no deleted nonce is allocated again.
#include "relaxed_fixture.hpp"

namespace fencepost::contract {
namespace {

class RetiredNonces : public RelaxedFixture {
protected:
    static constexpr std::uint64_t at_once = 1'000;

    Task<AllocationCounts> counts() { co_return (co_await store().allocations(submitter_)).value(); }

    static NonceMark mark(std::uint64_t nonce, AllocationStatus status) {
        return {.nonce = Nonce(nonce), .status = status, .hash = hash_of(static_cast<std::uint8_t>(nonce))};
    }

    /// The lane used this many nonces from 0 on, and everything below `watch_from` is finalized.
    LaneWrite history(const Fence& fence, std::uint64_t used, std::uint64_t watch_from) {
        LaneWrite write{.submitter = submitter_, .fence = fence};
        write.cursor = CursorMove{.expected = std::nullopt, .next = Nonce(used)};
        write.watch_from = Nonce(watch_from);
        for (std::uint64_t nonce = 0; nonce < used; ++nonce)
            write.nonce_marks.push_back(mark(nonce, AllocationStatus::used));
        return write;
    }
    LaneWrite watching(const Fence& fence, std::uint64_t from) {
        LaneWrite write{.submitter = submitter_, .fence = fence};
        write.watch_from = Nonce(from);
        return write;
    }

    Task<void> deleted_when_final() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await write(&store(), history(fence, 5, 0)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_, 5), Nonce(5));
        EXPECT_EQ((co_await counts()).used, 5U) << "mined, but a fork may still remove them";
        EXPECT_EQ(co_await write(&store(), watching(fence, 3)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_, 5), Nonce(6));
        EXPECT_EQ((co_await counts()).used, 2U) << "3 and 4 are left";
        EXPECT_EQ(co_await write(&store(), marking(fence, mark(3, AllocationStatus::reserved))), WriteAnswer::applied)
            << "a fork removed it";
        EXPECT_EQ(co_await write(&store(), watching(fence, 5)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_, 5), Nonce(7));
        const auto left = co_await counts();
        EXPECT_EQ(left.used, 0U);
        EXPECT_EQ(left.in_flight, 1U) << "unused nonces are never deleted";
    }

    Task<void> never_given_again() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await write(&store(), history(fence, 4, 4)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(4)) << "a lagging endpoint does not know them";
        EXPECT_EQ((co_await counts()).used, 0U);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(5));
        for (const auto status : {AllocationStatus::used, AllocationStatus::reserved, AllocationStatus::recyclable}) {
            EXPECT_EQ(co_await write(&store(), marking(fence, mark(1, status))), WriteAnswer::conflict)
                << "retired nonces stay retired";
        }
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, lane_owner, Nonce(1), hash_of(1))).value(),
                  WriteAnswer::conflict);
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(0))).value(), std::nullopt);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(6));
    }

    Task<void> smallest_among_many_used() {
        const auto fence = co_await opened(&store(), node_a_);
        auto many = history(fence, 300, 0);
        for (const std::size_t nonce : {200U, 150U})
            many.nonce_marks.at(nonce) = mark(nonce, AllocationStatus::recyclable);
        EXPECT_EQ(co_await write(&store(), many), WriteAnswer::applied);
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(0))).value(), Nonce(150));
        EXPECT_EQ((co_await store().lowest_recyclable(submitter_, Nonce(151))).value(), Nonce(200));
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(150));
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(200));
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(300));
        EXPECT_EQ((co_await counts()).used, 298U);
    }

    Task<void> finalized_ones_are_not_recycled() {
        const auto fence = co_await opened(&store(), node_a_);
        auto given_back = history(fence, 3, 0);
        given_back.nonce_marks.at(1) = mark(1, AllocationStatus::recyclable);
        EXPECT_EQ(co_await write(&store(), given_back), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), watching(fence, 3)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(3)) << "1 is used, whatever count the chain reports";
        const auto left = co_await counts();
        EXPECT_EQ(left.used, 0U);
        EXPECT_EQ(left.recyclable, 0U);
    }

    Task<void> a_few_at_a_time() {
        const auto fence = co_await opened(&store(), node_a_);
        static constexpr std::uint64_t used = 2 * at_once + 500;
        EXPECT_EQ(co_await write(&store(), history(fence, used, used)), WriteAnswer::applied);
        for (const std::uint64_t left : {at_once + 500, std::uint64_t{500}, std::uint64_t{0}}) {
            std::ignore = co_await reserve(fence, one_, used);
            EXPECT_EQ((co_await counts()).used, left);
        }
        EXPECT_EQ((co_await counts()).reserved, 3U);
    }

    Task<void> what_is_used_late() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(0));
        EXPECT_EQ((co_await store().mark_in_flight(submitter_, fence, one_, Nonce(0), hash_of(9))).value(),
                  WriteAnswer::applied);
        auto after = history(fence, 3, 3);
        after.nonce_marks.erase(after.nonce_marks.begin());
        EXPECT_EQ(co_await write(&store(), after), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, two_, 3), Nonce(3));
        EXPECT_EQ((co_await counts()).in_flight, 1U) << "its caller has not reported the outcome yet";
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, one_, Nonce(0), hash_of(9))).value(),
                  WriteAnswer::applied);
        EXPECT_EQ((co_await counts()).used, 1U);
        EXPECT_EQ((co_await store().align(submitter_, fence, Nonce(3))).value().answer, WriteAnswer::applied);
        EXPECT_EQ((co_await counts()).used, 0U);
        EXPECT_EQ(co_await reserve(fence, two_, 3), Nonce(4));
    }

    Task<void> given_without_reservation() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(1);
        EXPECT_EQ(co_await write(&store(), in_flight(fence, ids[0], 0, std::nullopt)), WriteAnswer::applied);
        EXPECT_EQ(co_await reserve(fence, one_), Nonce(1)) << "0 is the lane's, and the chain has not seen it yet";
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, RetiredNonces, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(RetiredNonces, Failure43DeletesUsedNoncesOnceFinalized) { run(deleted_when_final()); }
TEST_P(RetiredNonces, NeverReallocatesDeletedNonces) { run(never_given_again()); }
TEST_P(RetiredNonces, Failure43FindsSmallestRecyclableAmongManyUsed) { run(smallest_among_many_used()); }
TEST_P(RetiredNonces, NeverRecyclesNoncesBelowFinality) { run(finalized_ones_are_not_recycled()); }
TEST_P(RetiredNonces, Failure43ReservationDeletesAtMostThousand) { run(a_few_at_a_time()); }
TEST_P(RetiredNonces, AligningDeletesLateUsedNonces) { run(what_is_used_late()); }
TEST_P(RetiredNonces, NeverReallocatesNoncesWithoutReservation) { run(given_without_reservation()); }

}  // namespace
}  // namespace fencepost::contract
