// One node, many submitters, and a simulated chain with geth's pool: what the window has to find its way in. Time is
// virtual; the store is SQLite in memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "domain/window/send_window.hpp"
#include "sim/chain/sim_endpoint.hpp"

namespace fencepost::bench {

struct Burst {
    std::string name;
    std::size_t submitters = 1;
    std::size_t each = 1;
    std::vector<sim::EndpointOptions> endpoints{{.name = "geth"}};
    /// The first endpoint loses its pool when half of everything is mined.
    bool restarts = false;
    /// Submitters begin at very different nonces.
    bool uneven = false;
    WindowRules window{};
    Duration block_interval = std::chrono::seconds(1);
    /// Full blocks make it rise. What was signed long ago then pays less than what was signed just now, and waits:
    /// shares of a block are no longer the window's doing.
    bool base_fee_moves = false;
    /// A sequencer stands behind the endpoints.
    bool has_sequencer = false;
};

struct BurstResult {
    /// From the first block after everything was accepted to the one with the last transaction.
    std::uint64_t blocks = 0;
    /// When half of everything was mined: the least and the most of one submitter, as a part of the mean.
    double least_share = 0;
    double most_share = 0;
    /// In which block a submitter's last transaction was mined: the last one and the median of them.
    std::uint64_t slowest = 0;
    std::uint64_t median = 0;
    double sends_per_tx = 0;
    /// As many as the first endpoint was sent the same bytes.
    std::size_t most_sends = 0;
    bool finished = false;
};

inline constexpr std::uint64_t block_gas = 60'000'000;

/// Gives up after so many blocks. With `is_told`, each block and what lanes log are printed.
[[nodiscard]] BurstResult run_burst(const Burst& burst, std::uint64_t most_blocks, bool is_told = false);

}  // namespace fencepost::bench
