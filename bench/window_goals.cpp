#include "window_goals.hpp"

#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/chain/endpoint_kinds.hpp"

namespace fencepost::bench {
namespace {

using namespace std::chrono_literals;
using sim::TemporaryRefusals;

constexpr std::uint64_t transfers_per_block = block_gas / 21'000;
constexpr sim::MempoolOptions small_pool{.global_slots = 256, .global_queue = 64};

// Twice the blocks that a window needs which doubles in every block.
constexpr std::uint64_t blocks_without_a_pool = 12;
// 16 single sends per account are in transit at once, and each is answered with its block.
constexpr std::uint64_t blocks_of_single_sends = std::uint64_t{2} * (100 / 16 + 1);

// Three times the blocks needed when every block, or the whole pool, is full.
constexpr std::uint64_t blocks_for(std::uint64_t transactions, std::uint64_t per_block) {
    return 3 * ((transactions + per_block - 1) / per_block);
}

struct GethBehaviour {
    std::string_view name;
    TemporaryRefusals refusals;
    bool restarts = false;
};

sim::EndpointOptions geth(GethBehaviour behaviour, sim::MempoolOptions pool = {}) {
    return {.name = "geth", .pool = pool, .temporary_refusals = behaviour.refusals};
}

void add_blocks(std::vector<WindowGoal>& all, GethBehaviour behaviour, std::string_view suffix) {
    all.push_back({.burst = {.name = fmt::format("blocks_10x500{}", suffix),
                             .submitters = 10,
                             .each = 500,
                             .endpoints = {geth(behaviour)}},
                   .max_blocks = 9});
    all.push_back({.burst = {.name = fmt::format("blocks_1x5000{}", suffix),
                             .submitters = 1,
                             .each = 5'000,
                             .endpoints = {geth(behaviour)}},
                   .max_blocks = 14});
}

void add_bursts(std::vector<WindowGoal>& all, GethBehaviour behaviour) {
    all.push_back({.burst = {.name = fmt::format("burst_full_{}", behaviour.name),
                             .submitters = 10,
                             .each = 6'000,
                             .endpoints = {geth(behaviour)},
                             .restarts = behaviour.restarts},
                   .max_blocks = blocks_for(60'000, transfers_per_block),
                   .is_fair = true,
                   .is_quick = false});
    all.push_back({.burst = {.name = fmt::format("burst_small_{}", behaviour.name),
                             .submitters = 10,
                             .each = 200,
                             .endpoints = {geth(behaviour, small_pool)},
                             .restarts = behaviour.restarts},
                   .max_blocks = blocks_for(2'000, small_pool.global_slots + small_pool.global_queue),
                   .is_fair = true});
    all.push_back({.burst = {.name = fmt::format("many_{}", behaviour.name),
                             .submitters = 2'000,
                             .each = 5,
                             .endpoints = {geth(behaviour)},
                             .restarts = behaviour.restarts,
                             .uneven = true},
                   .max_blocks = blocks_for(10'000, transfers_per_block),
                   .no_starvation = true,
                   .is_quick = false});
}

void add_rising_prices(std::vector<WindowGoal>& all, GethBehaviour behaviour) {
    all.push_back({.burst = {.name = "burst_full_rising_base_fee",
                             .submitters = 10,
                             .each = 6'000,
                             .endpoints = {geth(behaviour)},
                             .base_fee_moves = true},
                   .max_blocks = blocks_for(60'000, transfers_per_block),
                   .is_quick = false});
}

// These endpoints show no pending transactions: only answers and blocks provide information.
void add_endpoints_without_a_pool(std::vector<WindowGoal>& all) {
    all.push_back(
        {.burst = {.name = "relay_10x500", .submitters = 10, .each = 500, .endpoints = {sim::send_only_relay("relay")}},
         .max_blocks = blocks_without_a_pool,
         .max_sends = 2});
    all.push_back({.burst = {.name = "op_replica_10x500",
                             .submitters = 10,
                             .each = 500,
                             .endpoints = {sim::op_replica("replica"), sim::op_replica("other")},
                             .block_interval = 2s,
                             .has_sequencer = true},
                   .max_blocks = blocks_without_a_pool,
                   .max_sends = 2});
    all.push_back({.burst = {.name = "op_pool_10x500",
                             .submitters = 10,
                             .each = 500,
                             .endpoints = {sim::op_replica("replica", sim::PoolDisplay::shows)},
                             .block_interval = 2s,
                             .has_sequencer = true},
                   .max_blocks = blocks_without_a_pool,
                   .max_sends = 2});
    all.push_back({.burst = {.name = "arbitrum_10x100",
                             .submitters = 10,
                             .each = 100,
                             .endpoints = {sim::arbitrum_like("arbitrum")},
                             .block_interval = 250ms},
                   .max_blocks = blocks_of_single_sends,
                   .max_sends = 2});
}

}  // namespace

std::vector<WindowGoal> window_goals() {
    using enum TemporaryRefusals;
    constexpr GethBehaviour is_honest{.name = "honest", .refusals = honest};
    constexpr GethBehaviour hides{.name = "hidden", .refusals = hidden_and_retried};
    std::vector<WindowGoal> all;
    add_blocks(all, is_honest, "");
    add_blocks(all, hides, "_hidden");
    add_endpoints_without_a_pool(all);
    for (const auto behaviour : {is_honest, hides, GethBehaviour{.name = "nolocals", .refusals = hidden},
                                 GethBehaviour{.name = "restart", .refusals = hidden_and_retried, .restarts = true}})
        add_bursts(all, behaviour);
    add_rising_prices(all, is_honest);
    return all;
}

BurstResult run_goal(const WindowGoal& goal, bool verbose) {
    return run_burst(goal.burst, 10 * goal.max_blocks, verbose);
}

std::string shortfall(const WindowGoal& goal, const BurstResult& result) {
    if (!result.finished) return "not finished";
    std::vector<std::string> missed;
    if (result.blocks > goal.max_blocks) missed.push_back(fmt::format("more than {} blocks", goal.max_blocks));
    if (goal.is_fair && (result.smallest_share < 0.5 || result.largest_share > 2))
        missed.emplace_back("shares too uneven");
    if (goal.no_starvation && result.slowest > 3 * result.median) missed.emplace_back("a submitter starved");
    if (goal.max_sends && result.max_sends > *goal.max_sends)
        missed.push_back(fmt::format("more than {} sends", *goal.max_sends));
    return fmt::format("{}", fmt::join(missed, ", "));
}

}  // namespace fencepost::bench
