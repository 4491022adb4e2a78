// fencepost-sim: a seed in, a verdict out. It runs a cluster in virtual time with faults drawn from the seed and says
// whether a law was broken; the same seed gives the same run, so a failure is replayed by naming it.
#include <chrono>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sim/fence_workload.hpp"

namespace {

using namespace fencepost;

struct Options {
    std::uint64_t from = 1;
    std::uint64_t seeds = 1;
    std::uint64_t minutes = 60;
    bool no_fence = false;
};

void print_report(const sim::FenceSettings& settings, const sim::FenceReport& report) {
    fmt::print("{}\n", settings.describe());
    fmt::print("  injected: {} crashes, {} pauses, {} clock jumps, {} lost or late answers\n", report.crashes,
               report.pauses, report.clock_jumps, report.answers_given_up);
    fmt::print("  openings {}, writes applied {}, fenced {}, trace {:016x}\n", report.openings, report.writes_applied,
               report.writes_fenced, report.trace_hash);
    for (const auto& violation : report.violations)
        fmt::print("  LAW 1 BROKEN at {}\n", violation);
}

int run(const Options& options) {
    std::uint64_t failed = 0;
    for (auto seed = options.from; seed < options.from + options.seeds; ++seed) {
        auto settings = sim::FenceSettings::from_seed(seed, std::chrono::minutes(options.minutes));
        if (options.no_fence) settings.mutant = sim::FenceMutant::no_fence;
        const auto report = sim::run_fence_workload(settings);
        if (!report.violations.empty()) ++failed;
        if (options.seeds == 1 || !report.violations.empty()) print_report(settings, report);
    }
    fmt::print("{} passed, {} failed\n", options.seeds - failed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Runs a simulated Fencepost cluster in virtual time and says whether a law was broken."};
    app.set_version_flag("--version", "fencepost-sim " FENCEPOST_VERSION);
    Options options;
    app.add_option("--seed,--from", options.from, "the first seed")->capture_default_str();
    app.add_option("--seeds", options.seeds, "how many seeds, one after the other")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--minutes", options.minutes, "virtual minutes a seed")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--no-fence", options.no_fence, "break law 1 on purpose, to see that it is noticed");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
        fmt::print(stderr, "fencepost-sim: {}\n{}", e.what(), app.help());
        return 2;
    }
    return run(options);
}
