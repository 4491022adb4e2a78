// The cost of a lane: memory per watched transaction, and CPU time per transaction from the queue to the verdict, for
// different numbers of settled transactions that wait for finality. Chain and store are stubs (lane_stubs.hpp) and time
// is virtual, so that nearly all of the measured time is the lane's. Cases are measured alternately, because the
// machine's speed changes from minute to minute.
#include <algorithm>
#include <array>
#include <ctime>
#include <malloc.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lane/host/lane_host.hpp"
#include "lane/prepare/builder.hpp"
#include "lane_stubs.hpp"
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
    /// Number of measured transactions; a tenth as many warm up before.
    std::uint64_t transactions;
    std::vector<double> us_per_tx{};
};

double cpu_us() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (static_cast<double>(now.tv_sec) * 1e6) + (static_cast<double>(now.tv_nsec) / 1e3);
}

/// A node with one lane between stubs.
class Bench {
public:
    Bench(const Backlog& backlog, std::uint32_t window)
        : chain_(clock_, backlog),
          store_(chain_, backlog),
          host_(node_.executor(), NodeId("node/1"),
                {.leases = store_,
                 .store = store_,
                 .commands = store_,
                 .headers = store_,
                 .signer = store_,
                 .builder = builder_,
                 .clock = clock_,
                 .telemetry = telemetry_,
                 .log = log_}) {
        host_.add_chain(chain_);
        world_.spawn(node_, host_.run());
        host_.open(SubmitterId::parse("eip155:1:0x1000000000000000000000000000000000000002").value(),
                   {.window = window, .confirmations_required = 2});
    }
    ~Bench() { world_.kill(node_); }

    template <typename Condition>
    void run_until(Condition condition) {
        for (int seconds = 0; !condition(); ++seconds) {
            FP_ASSERT(seconds < 1'000'000, "the lane makes no progress after {} transactions", store_.settled());
            world_.run_for(std::chrono::seconds(1));
        }
    }
    [[nodiscard]] sim::World& world() { return world_; }
    [[nodiscard]] BenchChain& chain() { return chain_; }
    [[nodiscard]] BenchStore& store() { return store_; }

private:
    sim::World world_{1};
    sim::SimNode& node_ = world_.start_node("node");
    sim::SimClock clock_{node_};
    BenchChain chain_;
    BenchStore store_;
    NoTelemetry telemetry_;
    NoLog log_;
    lane::IdentityBuilder builder_;
    lane::LaneHost host_;
};

double measure(const Case& which) {
    Bench bench({.settled = which.unfinalized, .per_block = which.window}, which.window);
    auto& store = bench.store();
    const auto warm = std::max<std::uint64_t>(which.transactions / 10, std::uint64_t{3} * which.window);
    bench.run_until([&] { return store.settled() >= warm; });
    const auto first = store.settled();
    const auto begun = cpu_us();
    bench.run_until([&] { return store.settled() >= first + which.transactions; });
    return (cpu_us() - begun) / static_cast<double>(store.settled() - first);
}

double heap_bytes() { return static_cast<double>(mallinfo2().uordblks); }

/// For settled transactions that are not finalized, 16 per block, as a lane loads them when it opens.
double bytes_per_settled() {
    constexpr std::uint64_t count = 100'000;
    const auto used_with = [](std::uint64_t settled) {
        const auto before = heap_bytes();
        Bench bench({.settled = settled, .per_block = 16}, 16);
        bench.store().limit_queue(0);
        bench.world().run_for(std::chrono::seconds(2));
        return heap_bytes() - before;
    };
    return (used_with(count) - used_with(16)) / static_cast<double>(count - 16);
}

/// For transfers that were sent once and are not mined, including their intent and their bytes.
double bytes_per_pending() {
    constexpr std::uint32_t count = 4'000;
    const auto used_with = [](std::uint32_t pending) {
        const auto before = heap_bytes();
        Bench bench({.settled = 16, .per_block = 16}, pending);
        bench.chain().stop_mining();
        bench.store().limit_queue(pending);
        bench.run_until([&] { return bench.store().allocated() == pending; });
        bench.world().run_for(std::chrono::seconds(2));
        return heap_bytes() - before;
    };
    return (used_with(count) - used_with(1)) / static_cast<double>(count - 1);
}

double median(std::vector<double> samples) {
    std::ranges::nth_element(samples, samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2));
    return samples[samples.size() / 2];
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
    for (const auto& [name, bytes] :
         {std::pair("bytes_per_settled", bytes_per_settled()), std::pair("bytes_per_pending", bytes_per_pending())}) {
        fmt::print("{:<24} {:>33.0f}\n", name, bytes);
        fields.push_back(fmt::format(R"("{}": {:.0f})", name, bytes));
    }
    fmt::print("{{{}}}\n", fmt::join(fields, ", "));
}
