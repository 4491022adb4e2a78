// What a lane costs one core per transaction, from the queue to the verdict, as more and more settled transactions wait
// for finality. Chain and store are stubs (lane_parts.hpp) and time is virtual: nearly all that is measured is the
// lane. What is compared is measured in turns, because the machine's speed changes from minute to minute.
#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lane/builder.hpp"
#include "lane/lane_host.hpp"
#include "lane_parts.hpp"
#include "ports/log.hpp"
#include "sim/sim_clock.hpp"
#include "sim/world.hpp"

namespace fencepost::bench {
namespace {

constexpr std::size_t rounds = 9;

struct Case {
    std::string_view name;
    std::uint64_t unfinalized;
    std::uint32_t window;
    /// Those that are measured; before them a tenth as many warm up.
    std::uint64_t transactions;
    std::vector<double> us_per_tx{};
};

double cpu_us() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (static_cast<double>(now.tv_sec) * 1e6) + (static_cast<double>(now.tv_nsec) / 1e3);
}

double measure(const Case& which) {
    const Backlog backlog{.settled = which.unfinalized, .per_block = which.window};
    sim::World world(1);
    auto& node = world.start_node("node");
    sim::SimClock clock(node);
    BenchChain chain(clock, backlog);
    const auto submitter = SubmitterId::parse("eip155:1:0x1000000000000000000000000000000000000002").value();
    BenchStore store(chain, backlog);
    NoTelemetry telemetry;
    NoLog log;
    lane::AsDrafted builder;
    lane::LaneHost host(node.executor(), NodeId("node/1"),
                        {.leases = store,
                         .store = store,
                         .commands = store,
                         .headers = store,
                         .signer = store,
                         .builder = builder,
                         .clock = clock,
                         .telemetry = telemetry,
                         .log = log});
    host.add_chain(chain);
    world.spawn(node, host.run());
    host.open(submitter, {.window = which.window, .confirmations_required = 2});

    const auto run_until_settled = [&](std::uint64_t count) {
        for (int seconds = 0; store.settled() < count; ++seconds) {
            FP_ASSERT(seconds < 1'000'000, "the lane stands still after {} transactions", store.settled());
            world.run_for(std::chrono::seconds(1));
        }
    };
    run_until_settled(std::max<std::uint64_t>(which.transactions / 10, 3 * which.window));
    const auto first = store.settled();
    const auto begun = cpu_us();
    run_until_settled(first + which.transactions);
    const auto us = (cpu_us() - begun) / static_cast<double>(store.settled() - first);
    world.kill(node);
    return us;
}

double median(std::vector<double> figures) {
    std::ranges::nth_element(figures, figures.begin() + static_cast<std::ptrdiff_t>(figures.size() / 2));
    return figures[figures.size() / 2];
}

}  // namespace
}  // namespace fencepost::bench

int main() {
    using namespace fencepost::bench;
    std::array cases{
        Case{"us_per_tx_100", 100, 16, 4'000},
        Case{"us_per_tx_10k", 10'000, 16, 4'000},
        Case{"us_per_tx_100k", 100'000, 16, 4'000},
        Case{"us_per_tx_window_1000", 10'000, 1'000, 10'000},
        Case{"us_per_tx_window_4000", 20'000, 4'000, 20'000},
    };
    for (std::size_t round = 0; round < rounds; ++round) {
        for (auto& one : cases)
            one.us_per_tx.push_back(measure(one));
    }
    std::vector<std::string> fields;
    fmt::print("{:<24} {:>12} {:>8} {:>10} {:>10} {:>10}\n", "", "unfinalized", "window", "us per tx", "lowest",
               "highest");
    for (const auto& one : cases) {
        const auto us = median(one.us_per_tx);
        fmt::print("{:<24} {:>12} {:>8} {:>10.2f} {:>10.2f} {:>10.2f}\n", one.name, one.unfinalized, one.window, us,
                   *std::ranges::min_element(one.us_per_tx), *std::ranges::max_element(one.us_per_tx));
        fields.push_back(fmt::format(R"("{}": {:.2f})", one.name, us));
    }
    fmt::print("{{{}}}\n", fmt::join(fields, ", "));
}
