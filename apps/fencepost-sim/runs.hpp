// Runs many seeds on all cores. Each run belongs to one thread and shares nothing with the others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulation/simulation.hpp"

namespace fencepost::app {

/// No limit on the number of seeds.
inline constexpr std::uint64_t unlimited_seeds = std::numeric_limits<std::uint64_t>::max();

struct RunPlan {
    std::uint64_t from = 1;
    std::uint64_t seeds = 1;
    std::size_t jobs = 1;
    sim::Mutant mutant = sim::Mutant::none;
    /// The commit of the program, printed with a failure.
    std::string commit = "unknown";
    /// Real time after which no new seed is started.
    std::optional<std::chrono::seconds> at_most{};
    /// Stop after the first seed that breaks a law: a mutant needs to be caught only once.
    bool stop_when_caught = false;
};

struct RunTotals {
    std::uint64_t runs = 0;
    std::vector<sim::RunReport> failing_runs;  // the failed runs, by seed
    sim::Counts counts;
    Duration virtual_time{};
};

/// The settings of one seed, with the plan's mutant.
[[nodiscard]] sim::Settings settings_of(std::uint64_t seed, const RunPlan& plan);

/// `progress` is called from time to time, by one thread at a time.
[[nodiscard]] RunTotals run_all(const RunPlan& plan, const std::function<void(const RunTotals&)>& progress);

}  // namespace fencepost::app
