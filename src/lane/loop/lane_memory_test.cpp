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

TEST(TrackedDeathTest, Failure46ReplacesASettledIntentOnlyByCommand) {
    for (const auto state : {State::confirmed, State::failed_final}) {
        auto tracked = removed_while(state, Abandonment::none);
        tracked.request_replacement(filler({CommandSequence(5)}));
        EXPECT_EQ(tracked.wanted->kind, AttemptKind::filler);
        EXPECT_DEATH(removed_while(state, Abandonment::none).request_replacement(filler({})), "no operator requested");
    }
    auto cancelled = removed_while(State::cancelled, Abandonment::cancelled);
    cancelled.request_replacement(filler({}));
    EXPECT_TRUE(cancelled.wanted) << "its verdict is based on it";
}

TEST(Tracked, Failure46RemovedSettledTransactionWaitsToBeMined) {
    auto tracked = removed_while(State::confirmed, Abandonment::none);
    EXPECT_TRUE(tracked.waits_to_be_mined());
    tracked.taken = std::make_unique<NonceTaken>();
    EXPECT_FALSE(tracked.waits_to_be_mined()) << "an external transaction consumed its nonce";
    tracked.clear_external_tx();
    tracked.tx.position.sub = SubState::none;
    EXPECT_FALSE(tracked.waits_to_be_mined());
}

}  // namespace
}  // namespace fencepost::lane
