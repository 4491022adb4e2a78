#include "lane/loop/lane_memory.hpp"

#include <gtest/gtest.h>

namespace fencepost::lane {
namespace {

Tracked removed_while(State state, Abandonment abandonment) {
    return {.tx = {.id = {},
                   .submitter = SubmitterId::evm(1, {}),
                   .sequence = {},
                   .position = {state, SubState::forked},
                   .abandonment = abandonment,
                   .nonce = Nonce(1),
                   .attempts = {},
                   .receipt = {}},
            .intent = {}};
}

Replacement filler(std::vector<CommandSequence> commands) {
    return {.kind = AttemptKind::filler, .why = Abandonment::revoked, .commands = std::move(commands)};
}

TEST(TrackedDeathTest, Failure46WantsAGapFillerInPlaceOfASettledIntentOnlyByCommand) {
    for (const auto state : {State::confirmed, State::failed_final}) {
        auto tracked = removed_while(state, Abandonment::none);
        tracked.want(filler({CommandSequence(5)}));
        EXPECT_EQ(tracked.wanted->kind, AttemptKind::filler);
        EXPECT_DEATH(removed_while(state, Abandonment::none).want(filler({})), "no operator requested");
    }
    auto cancelled = removed_while(State::cancelled, Abandonment::cancelled);
    cancelled.want(filler({}));
    EXPECT_TRUE(cancelled.wanted) << "its verdict is based on it";
}

TEST(Tracked, Failure46WaitsToBeMinedAlsoWhenAReorgRemovedItAfterItsVerdict) {
    auto tracked = removed_while(State::confirmed, Abandonment::none);
    EXPECT_TRUE(tracked.waits_to_be_mined());
    tracked.taken = std::make_unique<NonceTaken>();
    EXPECT_FALSE(tracked.waits_to_be_mined()) << "an external transaction consumed its nonce";
    tracked.forget_stranger();
    tracked.tx.position.sub = SubState::none;
    EXPECT_FALSE(tracked.waits_to_be_mined());
}

}  // namespace
}  // namespace fencepost::lane
