// A connector holds the key, and the owner crashes: between claim and request, request and answer, answer and record,
// and everywhere else. The next owner must not request with another nonce, nor again without a lookup: everything is
// executed at most once, in order, and every nonce is consumed.
#include <gtest/gtest.h>

#include "support/lane_scenario.hpp"
#include "support/seed_count.hpp"

namespace fencepost::scenario {
namespace {

using sim::ConnectorFault;

constexpr std::size_t connector_transactions = 3;

Setup with_connector(bool derives) { return {.connector = ConnectorAbilities{.hash_recomputation = derives}}; }

std::size_t count_connector_points(bool derives) {
    LaneScenario scenario(with_connector(derives));
    scenario.start("a");
    scenario.accept(scenario.alice, connector_transactions);
    EXPECT_TRUE(scenario.run_until_settled());
    return scenario.points.passed().size();
}

void expect_lawful_connector(LaneScenario& scenario, bool derives) {
    ASSERT_TRUE(scenario.run_until_settled(30min)) << scenario.log.text();
    scenario.expect_lawful();
    EXPECT_NE(scenario.submitter(scenario.alice).status.status, SubmitterStatus::protect);
    for (const auto& tx : scenario.all()) {
        // If the hash cannot be computed, an unsent transaction ends as a gap filler.
        const bool filled = tx.position == Position{State::failed_final, SubState::timeout};
        EXPECT_TRUE(tx.position.state == State::confirmed || (filled && !derives)) << name_of(tx.position.state);
    }
}

TEST(LaneConnectorCrash, CrashAnywhereLosesNothingAndExecutesNothingTwice) {
    for (const bool derives : {true, false}) {
        const auto points = count_connector_points(derives);
        ASSERT_GT(points, 10U);
        for (std::size_t point = 0; point < points; ++point) {
            LaneScenario scenario(with_connector(derives));
            auto& first = scenario.start("a");
            scenario.points.crash_at(point, [&] { scenario.kill(first); });
            scenario.accept(scenario.alice, connector_transactions);
            ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
            SCOPED_TRACE("dies at " + scenario.points.passed().at(point) + ", point " + std::to_string(point));
            scenario.start("b");
            expect_lawful_connector(scenario, derives);
            if (HasFailure()) return;
        }
    }
}

TEST(LaneConnectorCrash, TakeoverLooksUpAClaimWithoutAHashFirst) {
    for (const bool arrives : {true, false}) {
        LaneScenario scenario(with_connector(false));
        auto& first = scenario.start("a");
        // It crashes with its request in flight.
        scenario.points.watch([&](const std::string& point) {
            if (point == "asked" && first.process().is_alive()) scenario.kill(first);
        });
        if (!arrives) scenario.key_holder.script({ConnectorFault::request_lost});
        const auto tx = scenario.accept(scenario.alice);
        ASSERT_TRUE(scenario.run_until([&] { return !first.process().is_alive(); }));
        EXPECT_EQ(scenario.state(tx), State::allocated);
        EXPECT_FALSE(scenario.view(tx).hash);
        auto& second = scenario.start("b");
        ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) != State::allocated; }, 1min));
        EXPECT_GE(scenario.telemetry.of(Counter::grey_zone, "entered"), 1U);
        // Found at once if it arrived; otherwise a gap filler consumes the nonce after the time-out, and it is not sent
        // again.
        ASSERT_TRUE(scenario.run_until_settled(20min));
        EXPECT_EQ(scenario.state(tx), arrives ? State::confirmed : State::failed_final);
        EXPECT_EQ(scenario.key_holder.asked().size(), arrives ? 1U : 2U);
        EXPECT_TRUE(second.process().is_alive());
        scenario.expect_lawful();
    }
}

TEST(LaneConnectorCrash, GreyZoneTimeOutContinuesUnderANewOwner) {
    LaneScenario scenario(with_connector(false));
    scenario.key_holder.script({ConnectorFault::request_lost});
    auto& first = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.state(tx) == State::unknown_submit_result; }, 20s));
    scenario.run_for(4min);
    scenario.kill(first);
    scenario.start("b");
    ASSERT_TRUE(scenario.run_until([&] { return scenario.key_holder.asked().size() == 2; }, 2min)) << "five in all";
    ASSERT_TRUE(scenario.run_until_settled());
    scenario.expect_lawful();
}

TEST(LaneConnectorCrash, LostCommitAnswerIsResolvedByReopening) {
    for (const bool derives : {true, false}) {
        for (std::size_t write = 0; write < 12; ++write) {
            SCOPED_TRACE("the answer to write " + std::to_string(write) + " is lost");
            LaneScenario scenario(with_connector(derives));
            auto& node = scenario.start("a");
            node.store().lose_answer_of_write(write);
            scenario.accept(scenario.alice, connector_transactions);
            expect_lawful_connector(scenario, derives);
            if (HasFailure()) return;
        }
    }
}

TEST(LaneConnectorCrash, EveryNonceIsConsumedOnceDespiteLostRequestsAndAnswers) {
    for (std::uint64_t seed = 1; seed <= seeds(10); ++seed) {
        for (const bool derives : {true, false}) {
            SCOPED_TRACE("seed " + std::to_string(seed));
            auto setup = with_connector(derives);
            setup.seed = seed;
            setup.lane.grey_zone = {.interval = 10s, .timeout = 40s};
            LaneScenario scenario(setup);
            scenario.key_holder.set_rates({.requests_lost = 150, .answers_lost = 150, .unacknowledged_sends = 100});
            auto* owner = &scenario.start("0");
            scenario.accept(scenario.alice, 12);
            for (int i = 1; i <= 4; ++i) {
                scenario.run_for(std::chrono::seconds(7 * i));
                scenario.kill(*owner);
                owner = &scenario.start(std::to_string(i));
            }
            expect_lawful_connector(scenario, derives);
            if (HasFailure()) return;
        }
    }
}

}  // namespace
}  // namespace fencepost::scenario
