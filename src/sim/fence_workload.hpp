// The first law, tried in virtual time before there is a store: several nodes fight for one submitter's lease in a
// simulated database whose answers may be slow, while nodes crash, stall and have wrong clocks. Every write that the
// database takes must be by the last opening of the lane, and build on the write before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace fencepost::sim {

/// Ways to break the law on purpose, to see that the checker notices.
enum class FenceMutant { none, no_fence, token_kept_on_reopening };

struct FenceSettings {
    std::uint64_t seed = 0;
    std::uint64_t nodes = 0;
    Duration lease{};
    Duration virtual_time{};
    FenceMutant mutant = FenceMutant::none;

    /// Everything but the mutant and the length of the run is drawn from the seed.
    [[nodiscard]] static FenceSettings from_seed(std::uint64_t seed, Duration virtual_time);
    [[nodiscard]] std::string describe() const;
};

/// What happened: a run that injected nothing proves nothing.
struct FenceReport {
    std::uint64_t trace_hash = 0;
    std::uint64_t openings = 0;
    std::uint64_t writes_applied = 0;
    std::uint64_t writes_fenced = 0;
    std::uint64_t answers_given_up = 0;
    std::uint64_t crashes = 0;
    std::uint64_t pauses = 0;
    std::uint64_t clock_jumps = 0;
    std::vector<std::string> violations;
};

[[nodiscard]] FenceReport run_fence_workload(const FenceSettings& settings);

}  // namespace fencepost::sim
