// A real node removes mined transactions in a reorg.
#include <gtest/gtest.h>

#include "real_lane.hpp"

namespace fencepost::integration {
namespace {

Task<void> reorg_what_was_mined(RealLane* lane) {
    std::vector<TxId> ids;
    ids.reserve(3);
    while (ids.size() < 3)
        ids.push_back(co_await lane->send(transfer()));
    co_await lane->mine();
    std::vector<TxView> mined;
    mined.reserve(ids.size());
    for (const auto& id : ids)
        mined.push_back(co_await lane->until_mined(id));
    co_await lane->reorg(1);
    for (const auto& seen : mined) {
        const auto sent = seen.submit_attempts + 1;
        const auto again = co_await lane->until(seen.id, "it is rolled back and resent", [=](const TxView& now) {
            return !now.receipt && now.submit_attempts >= sent;
        });
        EXPECT_EQ(again.position.state, State::tracking) << "a rollback is not a verdict";
    }
    co_await lane->settle(ids);
    for (const auto& seen : mined) {
        const auto now = co_await lane->view(seen.id);
        EXPECT_EQ(now.position, (Position{State::confirmed, SubState::none}));
        EXPECT_EQ(now.hash, seen.hash) << "the same bytes";
        EXPECT_NE(now.receipt->block_hash, seen.receipt->block_hash);
        EXPECT_EQ((co_await lane->attempts(seen.id)).size(), 1U);
    }
}

TEST(RealReorg, Failure09ResendsSameBytesAfterReorgUntilConfirmed) {
    RealLane lane(without_resends());
    lane.run(reorg_what_was_mined(&lane));
}

}  // namespace
}  // namespace fencepost::integration
