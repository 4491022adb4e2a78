// The test bed of the window: one node, many submitters, and a simulated chain with geth's pool. Time is virtual; the
// store is SQLite in memory.
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
    /// The first endpoint loses its pool when half of all transactions are mined.
    bool restarts = false;
    /// Submitters start at very different nonces.
    bool uneven = false;
    WindowRules window{};
    Duration block_interval = std::chrono::seconds(1);
    /// Full blocks raise the base fee. Transactions signed earlier then pay less than those signed later and wait, so
    /// that shares of a block no longer depend on the window alone.
    bool base_fee_moves = false;
    /// The endpoints forward to a sequencer.
    bool has_sequencer = false;
};

struct BurstResult {
    /// From the first block after everything was accepted to the block of the last transaction.
    std::uint64_t blocks = 0;
    /// When half of all transactions were mined: the smallest and the largest share of a submitter, relative to the
    /// mean.
    double smallest_share = 0;
    double largest_share = 0;
    /// The block of a submitter's last transaction: the latest of all submitters, and the median.
    std::uint64_t slowest = 0;
    std::uint64_t median = 0;
    double sends_per_tx = 0;
    /// How often the first endpoint received the same bytes at most.
    std::size_t max_sends = 0;
    bool finished = false;
};

inline constexpr std::uint64_t block_gas = 60'000'000;

/// Stops after this many blocks. With `verbose`, prints each block and the lanes' log.
[[nodiscard]] BurstResult run_burst(const Burst& burst, std::uint64_t max_blocks, bool verbose = false);

}  // namespace fencepost::bench
