// An HTTP service decides about STUCK transactions. Its decision is treated like a built-in one: recorded under the
// fence first, then executed; from an owner that has lost the lease it has no effect (RB06).
#include "hooks/stuck_hook.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace fencepost::scenario {
namespace {

/// A service that does something while it is asked, and answers.
class Service final : public HttpPoster {
public:
    Task<Result<std::string, PostError>> post(HttpPost /*post*/, Duration /*limit*/) override {
        ++asked;
        if (while_asked) while_asked();
        co_return answer;
    }
    Result<std::string, PostError> answer = R"({"decision":"filler"})";
    std::function<void()> while_asked;
    std::size_t asked = 0;
};

struct Hooked {
    Hooked()
        : hook(service, clock, log, {.secret = Secret("shared")}),
          scenario({.lane = tries_thrice, .stuck_policy = &hook}) {
        scenario.set_mining(false);
    }
    [[nodiscard]] bool run_until_asked(std::size_t times) {
        return scenario.run_until([&] { return service.asked >= times; }, 30min);
    }

    sim::World own_time{1};
    sim::SimClock clock{own_time.start_node("service")};
    Service service;
    NoLog log;
    hooks::StuckHook hook;
    LaneScenario scenario;
};

bool notes_decision(const LaneWrite& write) {
    return std::ranges::any_of(write.transactions, [](const TxUpdate& update) {
        return std::ranges::any_of(update.history,
                                   [](const HistoryStep& step) { return step.detail == "decided: filler"; });
    });
}
bool adds_attempt(const LaneWrite& write) {
    return std::ranges::any_of(write.transactions,
                               [](const TxUpdate& update) { return !update.nonce && !update.attempts.empty(); });
}

TEST(LaneStuckHook, RecordsTheDecisionBeforeExecution) {
    Hooked hooked;
    auto& scenario = hooked.scenario;
    auto& node = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(scenario.run_until([&] { return scenario.attempts(tx).size() == 2; }, 30min));
    std::optional<std::size_t> decided;
    std::optional<std::size_t> acted;
    const auto& written = node.store().written();
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (notes_decision(written[i].first)) decided = i;
        if (adds_attempt(written[i].first)) acted = i;
    }
    ASSERT_TRUE(decided && acted);
    EXPECT_LT(*decided, *acted);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.view(tx).position, (Position{State::failed_final, SubState::timeout}));
    scenario.expect_lawful();
}

TEST(LaneStuckHook, FencesALateDecisionAndTheNextOwnerAsksAgain) {
    Hooked hooked;
    auto& scenario = hooked.scenario;
    // Another opening of the lane, while the service thinks: the token is raised.
    hooked.service.while_asked = [&] {
        hooked.service.while_asked = nullptr;
        const auto opened = scenario.get(scenario.store->open(scenario.alice, NodeId("a"), 5s));
        EXPECT_TRUE(opened.value().fence.has_value());
    };
    auto& node = scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(hooked.run_until_asked(1));
    hooked.service.answer = R"({"decision":"wait"})";
    ASSERT_TRUE(hooked.run_until_asked(2));
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed) << "nothing was done of what came too late";
    EXPECT_EQ(scenario.attempts(tx).size(), 1U);
    for (const auto& [write, answer] : node.store().written())
        EXPECT_FALSE(notes_decision(write) && answer == WriteAnswer::applied);
    scenario.expect_lawful();
}

TEST(LaneStuckHook, ContinuesWithoutAnAnswer) {
    Hooked hooked;
    auto& scenario = hooked.scenario;
    hooked.service.answer = err(PostError::unavailable);
    scenario.start("a");
    const auto tx = scenario.accept(scenario.alice);
    ASSERT_TRUE(hooked.run_until_asked(1));
    const auto sent = scenario.times_sent(*scenario.view(tx).hash);
    scenario.run_for(5min);
    EXPECT_GT(scenario.times_sent(*scenario.view(tx).hash), sent);
    scenario.set_mining(true);
    ASSERT_TRUE(scenario.run_until_settled());
    EXPECT_EQ(scenario.state(tx), State::confirmed);
}

}  // namespace
}  // namespace fencepost::scenario
