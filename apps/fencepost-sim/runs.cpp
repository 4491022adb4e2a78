#include "runs.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace fencepost::app {
namespace {

using RealClock = std::chrono::steady_clock;

class Runs {
public:
    Runs(const RunPlan& plan, const std::function<void(const RunTotals&)>& progress)
        : plan_(plan),
          progress_(progress),
          next_(plan.from),
          deadline_(plan.at_most ? RealClock::now() + *plan.at_most : RealClock::time_point::max()) {}

    RunTotals run() {
        {
            std::vector<std::jthread> threads;
            threads.reserve(plan_.jobs);
            for (std::size_t i = 0; i < plan_.jobs; ++i)
                threads.emplace_back([this] { work(); });
        }
        std::ranges::sort(totals_.failing_runs, {}, &sim::RunReport::seed);
        return std::move(totals_);
    }

private:
    void work() {
        for (;;) {
            const auto seed = next_.fetch_add(1);
            if (seed - plan_.from >= plan_.seeds || stop_ || RealClock::now() >= deadline_) return;
            add(sim::simulate(settings_of(seed, plan_)));
        }
    }

    void add(sim::RunReport report) {
        const std::scoped_lock lock(mutex_);
        ++totals_.runs;
        totals_.virtual_time += report.virtual_time;
        for (const auto& [name, count] : report.counts)
            totals_.counts[name] += count;
        if (report.violation) {
            if (plan_.stop_when_caught && sim::is_breach_of(plan_.mutant, report.violation->law)) stop_ = true;
            totals_.failing_runs.push_back(std::move(report));
        }
        progress_(totals_);
    }

    const RunPlan& plan_;
    const std::function<void(const RunTotals&)>& progress_;
    std::atomic<std::uint64_t> next_;
    std::atomic<bool> stop_ = false;
    RealClock::time_point deadline_;
    std::mutex mutex_;
    RunTotals totals_;
};

}  // namespace

sim::Settings settings_of(std::uint64_t seed, const RunPlan& plan) {
    auto settings = sim::Settings::from_seed(seed);
    settings.enable_mutant(plan.mutant);
    settings.commit = plan.commit;
    return settings;
}

RunTotals run_all(const RunPlan& plan, const std::function<void(const RunTotals&)>& progress) {
    return Runs(plan, progress).run();
}

}  // namespace fencepost::app
