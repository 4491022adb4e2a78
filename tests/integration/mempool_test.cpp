// What a real node's mempool does to pending transactions: one in the middle is evicted, and prices rise above our cap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "real_lane.hpp"

namespace fencepost::integration {
namespace {

using ::testing::HasSubstr;

// Anvil drops the ones behind it as well; other nodes keep them, so they are submitted again.
Task<void> evict_alone(RealLane* lane, TxId tx, std::vector<TxId> behind) {
    co_await lane->evict((co_await lane->view(tx)).hash.value());
    for (const auto& id : behind)
        co_await lane->submit_attempt((co_await lane->attempts(id)).at(0));
}

Task<void> until_sent(RealLane* lane, TxId tx, std::uint32_t times) {
    co_await lane->until(tx, "it is resent", [=](const TxView& seen) { return seen.submit_attempts >= times; });
}

Task<void> evict_a_middle_nonce(RealLane* lane) {
    const auto first = co_await lane->send(transfer_at(50));
    const auto cheap = co_await lane->send(transfer_at(3));
    const auto third = co_await lane->send(transfer_at(50));
    const auto fourth = co_await lane->send(transfer_at(50));
    // The price has risen above its offer, so it is not accepted again at once.
    co_await lane->set_base_fee(10);
    co_await evict_alone(lane, cheap, {third, fourth});
    // Sends in flight when the gap was noticed have arrived once it is refused for the second time.
    const auto refused = (co_await lane->view(cheap)).submit_attempts + 2;
    co_await until_sent(lane, cheap, refused);
    EXPECT_THAT((co_await lane->view(cheap)).error, HasSubstr("fee_below_base_fee"));
    const auto third_sent = (co_await lane->view(third)).submit_attempts;
    const auto fourth_sent = (co_await lane->view(fourth)).submit_attempts;
    co_await until_sent(lane, first, (co_await lane->view(first)).submit_attempts + 1);
    co_await until_sent(lane, cheap, refused + 3);
    EXPECT_EQ((co_await lane->view(third)).submit_attempts, third_sent) << "only the gap can help";
    EXPECT_EQ((co_await lane->view(fourth)).submit_attempts, fourth_sent);
    co_await lane->set_base_fee(1);
    co_await lane->until(cheap, "it is accepted", [](const TxView& seen) { return seen.error.empty(); });
    co_await lane->settle({first, cheap, third, fourth});
    std::uint64_t nonce = 0;
    for (const auto& id : {first, cheap, third, fourth}) {
        const auto seen = co_await lane->view(id);
        EXPECT_EQ(seen.position.state, State::confirmed);
        EXPECT_EQ(seen.nonce, Nonce(nonce++));
        EXPECT_EQ((co_await lane->attempts(id)).size(), 1U);
    }
}

TEST(RealMempool, Failure10ResendsOnlyTheEvictedMiddleNonce) {
    RealLane lane(fast_options());
    lane.run(evict_a_middle_nonce(&lane));
}

Task<void> spike_the_base_fee(RealLane* lane, Wei cap) {
    const auto tx = co_await lane->send(transfer_at(5));
    co_await lane->set_base_fee(50);
    co_await lane->mine();
    const auto capped = co_await lane->until(
        tx, "it is at the fee cap", [](const TxView& seen) { return seen.position.sub == SubState::fee_capped; });
    const auto attempts = co_await lane->attempts(tx);
    EXPECT_LE(max_fee(attempts.back().fees), cap);
    co_await until_sent(lane, tx, capped.submit_attempts + 3);
    EXPECT_EQ((co_await lane->view(tx)).position.sub, SubState::fee_capped) << "the reason stays visible";
    EXPECT_EQ((co_await lane->attempts(tx)).size(), attempts.size()) << "the same bytes";
    co_await lane->set_base_fee(1);
    co_await lane->until(tx, "it is accepted", [](const TxView& seen) { return seen.error.empty(); });
    co_await lane->settle({tx});
    const auto settled = co_await lane->view(tx);
    EXPECT_EQ(settled.position, (Position{State::confirmed, SubState::none}));
    EXPECT_EQ(settled.receipt->hash, attempts.back().hash);
}

TEST(RealMempool, Failure03SameBytesAtFeeCapAreMinedWhenPriceFalls) {
    auto options = fast_options();
    options.bump.enabled = true;
    options.fee_cap = Wei(Uint256(6 * gwei));
    RealLane lane(options);
    lane.run(spike_the_base_fee(&lane, options.fee_cap));
}

}  // namespace
}  // namespace fencepost::integration
