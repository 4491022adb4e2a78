// All faults at once, by seed: crashes, pauses, database outages, endpoint outages, reorgs and evictions. At the end
// each intent was executed once, and store and chain agree.
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"
#include "support/seed_count.hpp"

namespace fencepost::scenario {
namespace {

constexpr std::size_t chaos_transactions = 60;

class Chaos {
public:
    explicit Chaos(std::uint64_t seed)
        : dice_(seed),
          scenario_({.seed = seed,
                     .network = {.ledger = {.safe_lag = 8, .finalized_lag = 16}},
                     .lane = {.confirmations_required = 4, .resubmit_interval = 15s, .stale_receipt_timeout = 20s}}) {}

    void run() {
        nodes_ = {&scenario_.start("n0"), &scenario_.start("n1")};
        for (std::size_t i = 0; i < chaos_transactions; ++i) {
            scenario_.accept(dice_.below(2) == 0 ? scenario_.alice : scenario_.bob);
            upset_something();
            scenario_.run_for(std::chrono::milliseconds(dice_.below(2'000)));
        }
        calm_down();
        ASSERT_TRUE(scenario_.run_until_settled(60min)) << scenario_.log.text();
        // A reorg may have removed settled transactions: they are mined again.
        ASSERT_TRUE(scenario_.run_until([&] {
            return std::ranges::all_of(scenario_.all(), [](const auto& tx) { return tx.receipt.has_value(); });
        }));
        for (const auto& tx : scenario_.all())
            EXPECT_EQ(tx.position, (Position{State::confirmed, SubState::none}));
        scenario_.expect_lawful();
        for (const auto& submitter : {scenario_.alice, scenario_.bob})
            EXPECT_EQ(scenario_.submitter(submitter).status.status, SubmitterStatus::active)
                << scenario_.submitter(submitter).status.reason;
    }

private:
    void upset_something() {
        switch (dice_.below(12)) {
            case 0:
                return restart(dice_.below(2));
            case 1:
                return scenario_.world.pause(nodes_[dice_.below(2)]->process());
            case 2:
                return resume_all();
            case 3:
                return nodes_[dice_.below(2)]->store().set_fault(static_cast<StoreFault>(dice_.below(4)));
            case 4:
                return reorg();
            case 5:
                return scenario_.two.lag_blocks(dice_.below(5));
            case 6:
                return scenario_.one.set_down(dice_.below(2) == 0);
            case 7:
                return set_faults(static_cast<std::uint32_t>(dice_.below(300)));
            case 8:
                return forget_one();
            default:
                return;
        }
    }
    void restart(std::size_t which) {
        scenario_.kill(*nodes_.at(which));
        nodes_.at(which) = &scenario_.start("n" + std::to_string(++started_));
    }
    void resume_all() {
        for (auto* node : nodes_) {
            node->store().set_fault(StoreFault::none);
            if (node->process().is_paused()) scenario_.world.resume(node->process());
        }
    }
    void reorg() {
        const auto depth = std::min<std::uint64_t>(dice_.below(7), scenario_.network.ledger().deepest_reorg());
        if (depth == 0) return;
        scenario_.network.reorg({.depth = depth, .fate = static_cast<sim::Reorg::Fate>(dice_.below(3))});
    }
    void set_faults(std::uint32_t rate) {
        for (auto* endpoint : {&scenario_.one, &scenario_.two}) {
            endpoint->options().faults = {.sends_lost = rate,
                                          .sends_timed_out_after_arriving = rate,
                                          .sends_duplicated = rate,
                                          .reads_timed_out = rate,
                                          .reads_refused = rate,
                                          .unreachable = rate};
        }
    }
    void forget_one() {
        for (const auto& tx : scenario_.all()) {
            if (tx.receipt || !tx.hash) continue;
            scenario_.network.evict(*tx.hash);
            return;
        }
    }
    void calm_down() {
        resume_all();
        set_faults(0);
        scenario_.one.set_down(false);
        scenario_.two.lag_blocks(0);
    }

    sim::SeededRandom dice_;
    LaneScenario scenario_;
    std::vector<Node*> nodes_;
    std::size_t started_ = 1;
};

TEST(LaneChaos, LosesNothingAndExecutesNothingTwiceUnderAllFaults) {
    for (std::uint64_t seed = 1; seed <= seeds(40); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Chaos(seed).run();
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace fencepost::scenario
