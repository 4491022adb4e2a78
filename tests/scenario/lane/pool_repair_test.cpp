// Repair of transactions that pools lost after accepting them.
#include "pool_fixture.hpp"

namespace fencepost::scenario {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;

using LanePoolRepair = PoolFixture;

TEST_F(LanePoolRepair, Failure72ResendsSameBytesAfterPoolEviction) {
    const auto ids = hold(10);
    lose(ids[5]);
    const auto sends_before = s.view(ids[5]).submit_attempts;
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0; }, 20s));
    EXPECT_EQ(s.times_sent(hash_of(ids[5])), 2U);
    EXPECT_EQ(s.view(ids[5]).submit_attempts, sends_before) << "a repair is neither an attempt nor a resubmit";
    EXPECT_EQ(s.telemetry.of(Counter::resubmit, "claimed"), 0U);
    EXPECT_TRUE(was_reduced());
    EXPECT_TRUE(std::ranges::any_of(s.history(ids[5]), [](const auto& entry) {
        return entry.step.detail.find("missing from pools") != std::string::npos;
    }));
    expect_all_settle();
}

TEST_F(LanePoolRepair, LossInOnePoolNeedsNoRepair) {
    const auto ids = hold(10);
    ASSERT_TRUE(s.one.pool().evict(hash_of(ids[5])));
    keep_out_of_blocks(true);
    s.set_mining(true);
    s.run_for(12s);
    EXPECT_EQ(s.times_sent(hash_of(ids[5])), 1U);
    EXPECT_FALSE(was_reduced());
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePoolRepair, RefillsALackingEndpointWhenNothingIsMined) {
    const auto ids = hold(10);
    ASSERT_TRUE(s.one.pool().evict(hash_of(ids[0])));
    s.two.options().feeds_miners = false;  // cut off from the miners, and holds all of them
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0; }, 30s)) << "long before the resubmit";
    EXPECT_FALSE(was_reduced());
    expect_all_settle();
}

TEST_F(LanePoolRepair, OneQueryDoesNotProveAbsence) {
    const auto ids = hold(10);
    // Both had it all the time, and one answer was wrong: a truncation that the node repaired itself.
    const auto transaction = s.one.pool().find(hash_of(ids[9]));
    keep_out_of_blocks(true);
    lose(ids[9]);
    s.network.mine();
    s.run_for(150ms);
    for (auto* endpoint : endpoints())
        endpoint->pool().add(transaction, {*endpoint->view().head().state, s.network.ledger().options().gas_limit});
    s.set_mining(true);
    s.run_for(20s);
    EXPECT_EQ(s.times_sent(hash_of(ids[9])), 1U);
    EXPECT_FALSE(was_reduced());
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePoolRepair, RepairStartsWithTheLowestSixtyFourInOrder) {
    const auto ids = hold(300);
    keep_out_of_blocks(true);
    for (std::size_t i = 20; i < 300; ++i)
        lose(ids[i]);
    const auto batches_before = s.telemetry.of(Size::send_batch).size();
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return s.one.pool().size() > 20; }, 30s));
    const auto batches = s.telemetry.of(Size::send_batch);
    ASSERT_GT(batches.size(), batches_before);
    EXPECT_EQ(batches[batches_before], 64U);
    s.run_for(20s);
    EXPECT_EQ(s.one.pool().size(), 256U) << "half of the previous window, and it still has the first 20";
    keep_out_of_blocks(false);
    expect_all_settle();
    EXPECT_THAT(times_sent(ids), Each(Le(2U)));
}

TEST_F(LanePoolRepair, IneffectiveRepairBacksOff) {
    const auto ids = hold(10);
    keep_out_of_blocks(true);
    refuse_sends(sim::Verdict{SendOutcome::accepted, ""});  // success, and the pool does not have it
    lose(ids[0]);
    s.set_mining(true);
    s.run_for(50s);  // 25 blocks
    EXPECT_THAT(s.times_sent(hash_of(ids[0])), AllOf(Ge(4U), Le(9U)));
    refuse_sends(std::nullopt);
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePoolRepair, ConcurrentLossesReduceTheWindowOnce) {
    const auto ids = hold(60);
    keep_out_of_blocks(true);
    for (std::size_t i = 20; i < 60; ++i)
        lose(ids[i]);
    s.set_mining(true);
    s.run_for(20s);
    EXPECT_EQ(s.log.count(Severity::info, "Window reduced"), 1U);
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePoolRepair, Failure80RefillsARestartedEndpointWithoutAReduction) {
    const auto ids = hold(30);
    keep_out_of_blocks(true);
    s.set_mining(true);
    s.run_for(4s);
    s.one.pool().drop_all();
    EXPECT_TRUE(s.run_until([&] { return s.one.pool().size() == 30; }, 8s)) << s.one.pool().size();
    EXPECT_FALSE(was_reduced());
    EXPECT_THAT(times_sent(ids), Each(Le(2U)));
    keep_out_of_blocks(false);
    expect_all_settle();
}

TEST_F(LanePoolRepair, Failure80ResendsEverythingAfterAllEndpointsRestarted) {
    const auto ids = hold(30);
    lose_all();
    s.set_mining(true);
    ASSERT_TRUE(s.run_until([&] { return in_flight() == 0; }, 20s));
    EXPECT_FALSE(was_reduced());
    EXPECT_THAT(times_sent(ids), Each(Le(2U)));
    expect_all_settle();
}

TEST_F(LanePoolRepair, DoesNotSendAboveALossBeforeItsRepair) {
    const auto ids = hold(10);
    keep_out_of_blocks(true);
    refuse_sends(sim::Verdict{SendOutcome::pool_full, "txpool is full"});
    lose(ids[9]);
    s.set_mining(true);
    s.run_for(6s);
    const auto above = s.accept(s.alice, 5);
    s.run_for(10s);
    for (const auto id : above)
        EXPECT_TRUE(!s.view(id).hash || s.times_sent(hash_of(id)) == 0) << "a pool could only queue it out of order";
    refuse_sends(std::nullopt);
    keep_out_of_blocks(false);
    expect_all_settle();
}

}  // namespace
}  // namespace fencepost::scenario
