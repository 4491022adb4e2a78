// Crash injection: every effect of a node passes here, before and after each commit and at each send. A first run
// counts the points, then one run per point crashes the node there. New steps are covered automatically.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/async/task.hpp"
#include "ports/clock.hpp"

namespace fencepost::scenario {

class CrashPoints {
public:
    /// Calls `crash` at this point; the node dies at the end of its current step.
    void crash_at(std::size_t point, std::function<void()> crash) { crashes_[point] = std::move(crash); }

    /// Observes every point without crashing.
    void watch(std::function<void(const std::string&)> watcher) { watcher_ = std::move(watcher); }

    /// True when the node dies here.
    bool pass(std::string what) {
        if (watcher_) watcher_(what);
        const auto crash = crashes_.find(passed_.size());
        passed_.push_back(std::move(what));
        if (crash == crashes_.end()) return false;
        crash->second();
        return true;
    }

    /// For coroutines, which must not continue when the node is to die.
    [[nodiscard]] Task<void> pass_or_die(std::string what, Clock* clock) {
        if (pass(std::move(what))) co_await clock->sleep_for(std::chrono::hours(1));
    }

    [[nodiscard]] const std::vector<std::string>& passed() const { return passed_; }

private:
    std::function<void(const std::string&)> watcher_;
    std::vector<std::string> passed_;
    std::map<std::size_t, std::function<void()>> crashes_;
};

}  // namespace fencepost::scenario
