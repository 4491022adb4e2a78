// Relaxed mode's nonces: reserved by one caller at a time, used or given back, fenced like everything else.
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

using namespace std::chrono_literals;

class RelaxedContract : public StoreContract {
protected:
    const LockOwner one_{"one"};
    const LockOwner two_{"two"};

    Task<Nonce> reserve(Fence fence, LockOwner owner, std::uint64_t chain_next = 0, Duration timeout = 60s) {
        const auto answer = (co_await store().reserve(submitter_, fence, owner, Nonce(chain_next), timeout)).value();
        EXPECT_EQ(answer.answer, WriteAnswer::applied);
        co_return answer.nonce.value_or(Nonce(999));
    }

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
            << "10 lies below the chain's count: retired, not reused";
        EXPECT_EQ((co_await store().allocations(submitter_)).value().used, 1U);
    }

    Task<void> late_marks_are_refused() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await reserve(fence, one_, 0, 100ms), Nonce(0));
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(1)) << "an unexpired reservation is nobody else's";
        co_await sleep(150ms);
        EXPECT_EQ(co_await reserve(fence, two_), Nonce(0)) << "recycled after its time-out";
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, one_, Nonce(0), {})).value(), WriteAnswer::conflict);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, one_, Nonce(0), "x")).value(),
                  WriteAnswer::conflict);
        EXPECT_EQ((co_await store().mark_used(submitter_, fence, two_, Nonce(0), {})).value(), WriteAnswer::applied);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, fence, two_, Nonce(0), "x")).value(),
                  WriteAnswer::conflict)
            << "what was used is never given back";
    }

    Task<void> expect_fenced(Fence stale) {
        EXPECT_EQ((co_await store().reserve(submitter_, stale, one_, Nonce(0), 1s)).value().answer,
                  WriteAnswer::fenced);
        EXPECT_EQ((co_await store().mark_used(submitter_, stale, one_, Nonce(0), {})).value(), WriteAnswer::fenced);
        EXPECT_EQ((co_await store().mark_recyclable(submitter_, stale, one_, Nonce(0), "")).value(),
                  WriteAnswer::fenced);
    }

    Task<void> stale_tokens_are_fenced() {
        const auto a = co_await opened(&store(), node_a_, 200ms);
        EXPECT_EQ(co_await reserve(a, one_), Nonce(0));
        co_await sleep(250ms);
        co_await expect_fenced(a);
        std::ignore = co_await opened(&other(), node_b_);
        co_await expect_fenced(a);
        EXPECT_EQ((co_await store().allocations(submitter_)).value().reserved, 1U);
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, RelaxedContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(RelaxedContract, TheSmallestRecyclableNonceIsTakenFirst) { run(smallest_first()); }
TEST_P(RelaxedContract, TheChainsCountAndOursAreComparedAndTheHigherTaken) { run(max_of_chain_and_local()); }
TEST_P(RelaxedContract, ALateMarkAfterTheTimeOutIsRefused) { run(late_marks_are_refused()); }
TEST_P(RelaxedContract, EveryWriteUnderAStaleTokenIsFenced) { run(stale_tokens_are_fenced()); }

}  // namespace
}  // namespace fencepost::contract
