// Many seeds, on all cores: each run is one thread's, and shares nothing with the others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/simulation/simulation.hpp"

namespace fencepost::app {

struct RunPlan {
    std::uint64_t from = 1;
    std::uint64_t seeds = 1;
    std::size_t jobs = 1;
    sim::Mutant mutant = sim::Mutant::none;
    /// Real time after which no new seed is begun.
    std::optional<std::chrono::seconds> at_most{};
    /// A mutant is caught once: the seeds after the first that broke its law are not needed.
    bool until_caught = false;
};

struct RunTotals {
    std::uint64_t runs = 0;
    std::vector<sim::RunReport> guilty;  // by seed
    sim::Counts counts;
    Duration virtual_time{};
};

/// Of one seed, with the mutant.
[[nodiscard]] sim::Settings settings_of(std::uint64_t seed, sim::Mutant mutant);

/// `progress` is called now and then, by one thread at a time.
[[nodiscard]] RunTotals run_all(const RunPlan& plan, const std::function<void(const RunTotals&)>& progress);

}  // namespace fencepost::app
