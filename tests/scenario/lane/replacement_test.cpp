// Several attempts at one nonce: resent, bumped, capped. Any of them may be mined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const lane::LaneOptions bumps_soon{
    .confirmations_required = 3, .resubmit_interval = 5s, .bump = {.enabled = true, .min_interval = 10s}};

Fees offer(std::uint64_t fee_gwei, std::uint64_t tip_wei) {
    return DynamicFee{Wei(Uint256(fee_gwei * gwei)), Wei(Uint256(tip_wei))};
}

Intent at_price(const Fees& fees) {
    auto intent = LaneScenario::transfer(1);
    intent.fee = fees;
    return intent;
}

std::vector<Duration> times_of(LaneScenario& scenario, const TxHash& hash) {
    std::vector<Duration> times;
    for (const auto& entry : scenario.network.record().entries()) {
        if (entry.transaction.hash == hash && entry.endpoint == scenario.one.name())
            times.push_back(entry.left_at.time_since_epoch());
    }
    return times;
}

// Raises the base fee above all offers, until changed.
void raise_base_fee_to(LaneScenario& scenario, std::uint64_t base_fee_gwei) {
    scenario.network.ledger().set_next_base_fee(Wei(Uint256(base_fee_gwei * gwei)));
    scenario.network.mine();
}

struct FixedBaseFee : Setup {
    explicit FixedBaseFee(lane::LaneOptions options) {
        lane = options;
        network.ledger.base_fee_is_fixed = true;
    }
};

TEST(LaneReplacement, ResendsHeldBytesAtGrowingIntervals) {
    LaneScenario scenario({.lane = resends_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(3min);
    const auto times = times_of(scenario, *scenario.view(tx).hash);
    ASSERT_GE(times.size(), 6U);
    for (std::size_t i = 1; i < 6; ++i) {
        const auto pause = 5s * (1 << std::min<std::size_t>(i - 1, 3));
        EXPECT_GE(times[i] - times[i - 1], pause) << i;
        EXPECT_LE(times[i] - times[i - 1], pause + 2s) << i;
    }
    EXPECT_EQ(scenario.attempts(tx).size(), 1U) << "bumps are off unless they are switched on: the price stays";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReplacement, DisabledResubmitStillResendsUnheldBytes) {
    auto options = resends_soon;
    options.resubmit.enabled = false;
    LaneScenario scenario({.lane = options});
    scenario.set_mining(false);
    scenario.one.script_sends({sim::SendFault::lost});
    scenario.two.script_sends({sim::SendFault::lost});
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    scenario.run_for(3min);
    EXPECT_EQ(scenario.state(tx), State::tracking) << "the lost one was sent once more";
    EXPECT_EQ(scenario.times_sent(*scenario.view(tx).hash), 2U);
}

TEST(LaneReplacement, Failure10ResendsOnlyTheLowestMissingNonce) {
    LaneScenario scenario({.lane = {.confirmations_required = 3, .resubmit_interval = 20s}});
    scenario.set_mining(false);
    scenario.start("a");
    const auto ids = scenario.accept(scenario.alice, 4);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(ids[3]) == State::tracking; }));
    scenario.run_for(1s);
    // The second one was evicted, and is refused now.
    scenario.network.evict(*scenario.view(ids[1]).hash);
    scenario.one.refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    scenario.two.refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    scenario.run_for(40s);
    const auto times = [&](std::size_t i) { return scenario.times_sent(*scenario.view(ids[i]).hash); };
    const std::vector before{times(0), times(1), times(2), times(3)};
    scenario.run_for(3min);
    EXPECT_EQ(times(3), before[3]) << "it waits for its predecessor";
    EXPECT_EQ(times(2), before[2]);
    EXPECT_GT(times(0), before[0]) << "a full pool accepts the lowest";
    scenario.one.refuse_sends(std::nullopt);
    scenario.two.refuse_sends(std::nullopt);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReplacement, BumpRaisesBothFeesAtTheSameNonce) {
    LaneScenario scenario(FixedBaseFee{bumps_soon});
    scenario.start("a");
    scenario.run_for(1s);
    raise_base_fee_to(scenario, 3);
    const auto tx = scenario.accept(scenario.alice, at_price(offer(2, 80)));
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    const auto attempts = scenario.attempts(tx);
    ASSERT_GE(attempts.size(), 2U);
    for (std::size_t i = 1; i < attempts.size(); ++i) {
        EXPECT_EQ(attempts[i].kind, AttemptKind::bump);
        EXPECT_GE(max_fee(attempts[i].fees).value(), max_fee(attempts[i - 1].fees).value() * Uint256(9) / Uint256(8));
        EXPECT_GE(max_priority_fee(attempts[i].fees).value(),
                  max_priority_fee(attempts[i - 1].fees).value() * Uint256(9) / Uint256(8));
    }
    EXPECT_EQ(scenario.view(tx).receipt->hash, attempts.back().hash);
    EXPECT_THAT(scenario.history_kinds(tx), Contains("bumped"));
    scenario.expect_lawful();
}

TEST(LaneReplacement, Failure32BumpRaisesAZeroTip) {
    LaneScenario scenario(FixedBaseFee{bumps_soon});
    scenario.one.options().pool.minimum_tip = Wei{};
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 0)));
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    EXPECT_GT(max_priority_fee(scenario.attempts(tx)[1].fees), Wei{});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

TEST(LaneReplacement, Failure06AcceptsAMinedOlderAttempt) {
    LaneScenario scenario(FixedBaseFee{bumps_soon});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 80)));
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    const auto original = scenario.attempts(tx).at(0);
    // A block producer without the bump.
    const auto& ours = *scenario.network.ledger().cache().decode(original.raw).decoded;
    scenario.network.mine();
    scenario.network.reorg({.depth = 1, .fate = sim::Reorg::Fate::dropped, .instead = {ours}});
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    EXPECT_EQ(scenario.view(tx).receipt->hash, original.hash);
    scenario.expect_lawful();
}

TEST(LaneReplacement, Failure03ResendsAtTheCapUntilPricesFall) {
    auto options = bumps_soon;
    options.fee_cap = Wei(Uint256(6 * gwei));
    LaneScenario scenario(FixedBaseFee{options});
    scenario.start("a");
    scenario.run_for(1s);
    raise_base_fee_to(scenario, 50);
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 80)));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::fee_capped; }, 5min));
    ASSERT_EQ(scenario.alerts.of(AlertKind::fee_capped).size(), 1U);
    EXPECT_EQ(scenario.alerts.of(AlertKind::fee_capped).front().level, AlertLevel::warning);
    const auto attempts = scenario.attempts(tx);
    EXPECT_LE(max_fee(attempts.back().fees), options.fee_cap);
    const auto sent = scenario.times_sent(attempts.back().hash);
    scenario.run_for(5min);
    EXPECT_GT(scenario.times_sent(attempts.back().hash), sent);
    EXPECT_EQ(scenario.attempts(tx).size(), attempts.size());
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::fee_capped) << "the reason stays visible";
    raise_base_fee_to(scenario, 1);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
    scenario.expect_lawful();
}

TEST(LaneReplacement, Failure57RaisesTheFeeCapAlertOnceAcrossOwners) {
    auto options = bumps_soon;
    options.fee_cap = Wei(Uint256(6 * gwei));
    LaneScenario scenario(FixedBaseFee{options});
    auto* owner = &scenario.start("a");
    scenario.run_for(1s);
    raise_base_fee_to(scenario, 50);
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 80)));
    ASSERT_TRUE(scenario.run_until([&] { return scenario.view(tx).position.sub == SubState::fee_capped; }, 5min));
    for (const auto* name : {"b", "c", "d"}) {
        scenario.kill(*owner);
        owner = &scenario.start(name);
        scenario.run_for(2min);
    }
    EXPECT_EQ(scenario.alerts.of(AlertKind::fee_capped).size(), 1U);
    EXPECT_EQ(scenario.view(tx).position.sub, SubState::fee_capped);
}

class LinearTenPercent final : public GasBumpPolicy {
public:
    std::optional<Fees> wanted(const BumpRequest& question) override {
        ++asked;
        const auto first = max_fee(question.offered.front()).value();
        return LegacyFee{Wei(first + first * Uint256(question.offered.size()) / Uint256(10))};
    }
    std::size_t asked = 0;
};

TEST(LaneReplacement, RaisesAPolicyProposalToTheReplacementMinimum) {
    LinearTenPercent policy;
    FixedBaseFee setup{bumps_soon};
    setup.bump_policy = &policy;
    LaneScenario scenario(setup);
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, at_price(LegacyFee{Wei(Uint256(8 * gwei))}));
    ASSERT_TRUE(run_until_attempts(scenario, tx, 4));
    EXPECT_GE(policy.asked, 3U);
    const auto attempts = scenario.attempts(tx);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_GE(max_fee(attempts[i].fees).value() * Uint256(8), max_fee(attempts[i - 1].fees).value() * Uint256(9));
    scenario.run_for(1s);
    EXPECT_TRUE(scenario.one.pool().find(attempts[3].hash)) << "a node takes it";
}

TEST(LaneReplacement, NewOwnerSendsAnUnconfirmedBump) {
    LaneScenario scenario(FixedBaseFee{bumps_soon});
    scenario.set_mining(false);
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 80)));
    ASSERT_TRUE(run_until_tracking(scenario, tx));
    ASSERT_TRUE(run_until_attempts(scenario, tx, 2));
    const auto bump = scenario.attempts(tx).at(1).hash;
    scenario.kill(first);  // it may not have left
    const auto sent = scenario.times_sent(bump);
    scenario.run_for(11s);
    scenario.start("b");
    scenario.run_for(3s);
    EXPECT_EQ(scenario.times_sent(bump), sent + 1) << "at once, not only after the interval";
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneReplacement, StopsBumpingAfterMaxAttempts) {
    auto options = bumps_soon;
    options.bump.max_attempts = 2;
    LaneScenario scenario(FixedBaseFee{options});
    scenario.set_mining(false);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice, at_price(offer(5, 80)));
    scenario.run_for(5min);
    EXPECT_EQ(scenario.attempts(tx).size(), 3U);
}

}  // namespace
}  // namespace fencepost::scenario
