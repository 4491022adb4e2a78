// How many blocks a burst takes with the automatic window, on a simulated chain with geth's pool: blocks of 1 s and 60
// M gas, which hold 2,857 transfers. Only the run time of the benchmark depends on the machine.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "window_goals.hpp"

// Arguments: names of bursts to run with a line per block; without arguments all bursts run.
int main(int argc, char** argv) {
    using namespace fencepost::bench;
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    std::vector<std::string> fields;
    bool all_reached = true;
    fmt::print("{:<26} {:>7} {:>7} {:>14} {:>8} {:>7} {:>9} {:>6}\n", "", "blocks", "limit", "shares", "slowest",
               "median", "sends/tx", "most");
    for (const auto& goal : window_goals()) {
        const auto& name = goal.burst.name;
        if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
        const auto result = run_goal(goal, !wanted.empty());
        const auto missed = shortfall(goal, result);
        fmt::print("{:<26} {:>7} {:>7} {:>6.2f} – {:<5.2f} {:>8} {:>7} {:>9.2f} {:>6}  {}\n", name, result.blocks,
                   goal.max_blocks, result.smallest_share, result.largest_share, result.slowest, result.median,
                   result.sends_per_tx, result.max_sends, missed);
        std::fflush(stdout);
        fields.push_back(fmt::format(R"("{}": {})", name, result.finished ? fmt::to_string(result.blocks) : "null"));
        all_reached = all_reached && missed.empty();
    }
    fmt::print("{{{}}}\n", fmt::join(fields, ", "));
    return all_reached ? 0 : 1;
}
