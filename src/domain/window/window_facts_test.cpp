#include "domain/window/window_facts.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime noon{1'763'553'605s};

TEST(EffectiveWindow, StartsAtTheConfiguredSize) {
    EXPECT_EQ(effective_window({}, {}, {}), (WindowFacts{{16, WindowLimit::demand}}));
    EXPECT_EQ(effective_window({64}, {}, {}), (WindowFacts{{64, WindowLimit::ceiling}}));
    EXPECT_EQ(effective_window({1}, {}, {}), (WindowFacts{{1, WindowLimit::ceiling}}));
}

TEST(EffectiveWindow, UsesTheStoredState) {
    const WindowState reduced{8, WindowLimit::pool_full};
    EXPECT_EQ(effective_window({}, reduced, noon), (WindowFacts{reduced, noon}));
    EXPECT_EQ(effective_window({64}, reduced, noon), (WindowFacts{reduced, noon}));
    const WindowState delegated{1, WindowLimit::delegated};
    EXPECT_EQ(effective_window({1}, delegated, noon), (WindowFacts{delegated, noon}));
    EXPECT_EQ(effective_window({}, WindowState{0, WindowLimit::absent}, noon).state.size, 1U);
}

TEST(EffectiveWindow, NeverExceedsTheConfiguration) {
    EXPECT_EQ(effective_window({64}, WindowState{512, WindowLimit::pool_full}, noon),
              (WindowFacts{{64, WindowLimit::ceiling}}))
        << "the time is not recorded";
    const WindowState at_ceiling{64, WindowLimit::ceiling};
    EXPECT_EQ(effective_window({64}, at_ceiling, noon), (WindowFacts{at_ceiling, noon}));
}

TEST(EffectiveWindow, FormatsASentence) {
    EXPECT_EQ(sentence_of(WindowFacts{{64, WindowLimit::demand}, noon}),
              "the window is 64, and grows while pools hold what is sent");
    EXPECT_EQ(sentence_of(WindowFacts{{16, WindowLimit::ceiling}}), "the window is 16 (limited by nonce.window)");
    EXPECT_EQ(sentence_of(QueuedBehind{37, {{16, WindowLimit::pool_full}, noon}}),
              "queued behind 37 transactions: the window is 16 (limited by pool_full since 2025-11-19T12:00:05.000Z)");
    EXPECT_EQ(sentence_of(QueuedBehind{1, {{1, WindowLimit::delegated}}}),
              "queued behind 1 transaction: the window is 1 (limited by delegated)");
}

}  // namespace
}  // namespace fencepost
