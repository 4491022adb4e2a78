// A submitter's window of in-flight nonces, as its lane leaves it for the next owner and for operators.
#include "store_fixture.hpp"

namespace fencepost::contract {
namespace {

constexpr WindowState grown{64, WindowLimit::demand};
constexpr WindowState reduced{32, WindowLimit::pool_full};

class WindowContract : public StoreContract {
protected:
    LaneWrite windowed(const Fence& fence, WindowState window) {
        return {.submitter = submitter_, .fence = fence, .window = window};
    }
    Task<std::optional<WindowState>> loaded() { co_return (co_await other().load(submitter_)).value().window; }
    Task<SubmitterView> viewed() { co_return (co_await other().submitter(submitter_)).value(); }

    Task<void> kept_for_the_next_owner() {
        const auto fence = co_await opened(&store(), node_a_);
        EXPECT_EQ(co_await loaded(), std::nullopt) << "no cursor";
        std::ignore = co_await allocated(fence);
        EXPECT_EQ(co_await loaded(), std::nullopt) << "never written";
        for (const auto& window : {grown, reduced, WindowState{1, WindowLimit::delegated}}) {
            EXPECT_EQ(co_await write(&store(), windowed(fence, window)), WriteAnswer::applied);
            EXPECT_EQ(co_await loaded(), window);
        }
    }

    // The write that creates the cursor, and one that moves it.
    Task<void> with_the_cursor() {
        const auto fence = co_await opened(&store(), node_a_);
        const auto ids = co_await accepted(3);
        auto first = allocation(fence, ids[0], 0);
        first.window = grown;
        EXPECT_EQ(co_await write(&store(), std::move(first)), WriteAnswer::applied);
        EXPECT_EQ(co_await loaded(), grown);
        auto second = allocation(fence, ids[1], 1);
        second.window = reduced;
        EXPECT_EQ(co_await write(&store(), std::move(second)), WriteAnswer::applied);
        EXPECT_EQ(co_await loaded(), reduced);
        auto conflicting = allocation(fence, ids[2], 7);
        conflicting.window = grown;
        EXPECT_EQ(co_await write(&store(), std::move(conflicting)), WriteAnswer::conflict);
        EXPECT_EQ(co_await loaded(), reduced) << "all of a submitter's part or none of it";
    }

    Task<void> untouched_when_absent() {
        const auto fence = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(fence);
        EXPECT_EQ(co_await write(&store(), windowed(fence, grown)), WriteAnswer::applied);
        const auto before = co_await viewed();
        const auto next = (co_await accepted(1)).at(0);
        EXPECT_EQ(co_await write(&store(), allocation(fence, next, 1)), WriteAnswer::applied);
        EXPECT_EQ(co_await write(&store(), {.submitter = submitter_, .fence = fence, .watch_from = Nonce(1)}),
                  WriteAnswer::applied);
        const auto after = co_await viewed();
        EXPECT_EQ(after.next_nonce, Nonce(2));
        EXPECT_EQ(after.window, grown);
        EXPECT_EQ(after.window_since, before.window_since);
    }

    Task<void> refused_under_a_stale_fence() {
        const auto fence = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(fence);
        EXPECT_EQ(co_await write(&store(), windowed(fence, grown)), WriteAnswer::applied);
        const auto before = co_await viewed();
        co_await lapse(fence);
        const auto taken_over = co_await opened(&other(), node_b_);
        EXPECT_EQ(co_await write(&store(), windowed(fence, reduced)), WriteAnswer::fenced);
        const auto after = co_await viewed();
        EXPECT_EQ(after.window, grown);
        EXPECT_EQ(after.window_since, before.window_since);
        EXPECT_EQ(co_await write(&other(), windowed(taken_over, reduced)), WriteAnswer::applied);
        EXPECT_EQ(co_await loaded(), reduced);
    }

    Task<void> shown_with_its_time() {
        const auto fence = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(fence);
        EXPECT_EQ((co_await viewed()).window, std::nullopt);
        EXPECT_EQ((co_await viewed()).window_since, std::nullopt);
        EXPECT_EQ(co_await write(&store(), windowed(fence, reduced)), WriteAnswer::applied);
        const auto first = co_await viewed();
        EXPECT_EQ(first.window, reduced);
        EXPECT_GE(first.window_since.value(), first.lease.value().acquired_at) << "by the same clock";
        EXPECT_EQ(co_await write(&store(), windowed(fence, reduced)), WriteAnswer::applied);
        EXPECT_EQ((co_await viewed()).window_since, first.window_since) << "nothing changed";
        EXPECT_EQ(co_await write(&store(), windowed(fence, {reduced.size, WindowLimit::account_limit})),
                  WriteAnswer::applied);
        const auto other_cause = co_await viewed();
        EXPECT_EQ(other_cause.window, (WindowState{reduced.size, WindowLimit::account_limit}));
        EXPECT_GT(other_cause.window_since, first.window_since);
        EXPECT_EQ(co_await write(&store(), windowed(fence, {16, WindowLimit::account_limit})), WriteAnswer::applied);
        EXPECT_GT((co_await viewed()).window_since, other_cause.window_since);
    }

    Task<void> of_its_submitter_alone() {
        const auto fence = co_await opened(&store(), node_a_);
        std::ignore = co_await allocated(fence);
        const auto foreign = intent(second_, "r");
        std::vector<NewIntent> batch_of_one{foreign};
        EXPECT_TRUE((co_await store().accept(batch_of_one)).has_value());
        const auto second_fence = *(co_await store().open(second_, node_a_, std::chrono::seconds(30))).value().fence;
        std::vector<LaneWrite> batch{windowed(fence, grown), allocation(second_fence, foreign.id, 0)};
        batch.back().submitter = second_;
        EXPECT_EQ((co_await store().write(batch)).value(), std::vector(2, WriteAnswer::applied));
        EXPECT_EQ(co_await loaded(), grown);
        EXPECT_EQ((co_await other().load(second_)).value().window, std::nullopt);
        batch = {windowed(fence, reduced), windowed(second_fence, {128, WindowLimit::ceiling})};
        batch.back().submitter = second_;
        EXPECT_EQ((co_await store().write(batch)).value(), std::vector(2, WriteAnswer::applied));
        EXPECT_EQ(co_await loaded(), reduced);
        EXPECT_EQ((co_await other().load(second_)).value().window, (WindowState{128, WindowLimit::ceiling}));
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, WindowContract, testing::ValuesIn(all_stores()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(WindowContract, IsKeptForNextOwner) { run(kept_for_the_next_owner()); }
TEST_P(WindowContract, IsWrittenWithCursorCreationOrMove) { run(with_the_cursor()); }
TEST_P(WindowContract, IsUnchangedWhenWriteOmitsIt) { run(untouched_when_absent()); }
TEST_P(WindowContract, IsNotWrittenUnderStaleFence) { run(refused_under_a_stale_fence()); }
TEST_P(WindowContract, IsShownWithTimeOfLastChange) { run(shown_with_its_time()); }
TEST_P(WindowContract, BelongsToOneSubmitter) { run(of_its_submitter_alone()); }

}  // namespace
}  // namespace fencepost::contract
