// fencepost-sim: takes a seed and reports a verdict. It runs a whole cluster in virtual time, with faults drawn from
// the seed, and reports whether a law was broken. The same seed gives the same run, so the seed replays a failure.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "printing.hpp"
#include "runs.hpp"

namespace {

using namespace fencepost;
using namespace fencepost::app;
using RealClock = std::chrono::steady_clock;

struct Options {
    RunPlan plan{};
    double minutes = 0;
    std::string mutant = "none";
    bool mutants = false;
    bool json = false;
    std::string expect;
};

std::chrono::seconds in_seconds(double minutes) {
    return std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double, std::ratio<60>>(minutes));
}

// A progress line that is overwritten, only on a terminal.
void show_progress(const RunPlan& plan, const RunTotals& totals) {
    if (isatty(fileno(stderr)) == 0 || plan.seeds == 1) return;
    const auto end = plan.seeds == unlimited_seeds ? "" : fmt::format(" of {}", plan.seeds);
    fmt::print(stderr, "\r{}{} seeds, {} failed ", totals.runs, end, totals.failing_runs.size());
    if (totals.runs == plan.seeds) fmt::print(stderr, "\n");
}

double virtual_minutes(const RunTotals& totals) {
    return std::chrono::duration<double, std::ratio<60>>(totals.virtual_time).count();
}

int run_one(const Options& options) {
    const auto settings = settings_of(options.plan.from, options.plan);
    fmt::print("{}", settings.describe());
    std::fflush(stdout);
    const auto report = sim::simulate(settings);
    print_run(report);
    if (report.violation) print_failure(report, options.plan);
    const bool differs = !options.expect.empty() && options.expect != fmt::format("{:016x}", report.trace_hash);
    if (differs) fmt::print("the trace is not {}: this run differs\n", options.expect);
    const int failed = report.violation || differs ? 1 : 0;
    fmt::print("{} passed, {} failed\n", 1 - failed, failed);
    return failed;
}

int run_many(const Options& options) {
    const auto started = RealClock::now();
    const auto totals = run_all(options.plan, [&](const RunTotals& so_far) { show_progress(options.plan, so_far); });
    const auto seconds = std::chrono::duration<double>(RealClock::now() - started).count();
    fmt::print("seeds {} to {}, faults injected and events seen:\n", options.plan.from,
               options.plan.from + totals.runs - 1);
    print_counts(totals.counts);
    for (std::size_t i = 0; i < totals.failing_runs.size() && i < 3; ++i)
        print_failure(totals.failing_runs[i], options.plan);
    if (totals.failing_runs.size() > 3) {
        fmt::print("\nfailed seeds:");
        for (const auto& report : totals.failing_runs)
            fmt::print(" {}", report.seed);
        fmt::print("\n");
    }
    const auto speed = virtual_minutes(totals) / seconds / static_cast<double>(options.plan.jobs);
    fmt::print("{:.0f} virtual minutes in {:.1f} s on {} cores: {:.0f} per second and core\n", virtual_minutes(totals),
               seconds, options.plan.jobs, speed);
    if (options.json) {
        fmt::print("{{\"seeds\": {}, \"virtual_minutes_per_second\": {:.1f}}}\n", totals.runs, speed);
    } else {
        fmt::print("{} passed, {} failed\n", totals.runs - totals.failing_runs.size(), totals.failing_runs.size());
    }
    return totals.failing_runs.empty() ? 0 : 1;
}

// Every mutant must be caught within the seeds; default_decision the checkers are too weak.
int run_mutants(const Options& options) {
    std::size_t caught = 0;
    std::size_t missed = 0;
    fmt::print("{:<36} {:>6}  {}\n", "mutant", "seeds", "the law it broke");
    for (const auto& [mutant, name] : enum_names<sim::Mutant>) {
        if (mutant == sim::Mutant::none) continue;
        RunPlan plan = options.plan;
        plan.mutant = mutant;
        plan.stop_when_caught = true;
        const auto totals = run_all(plan, [](const RunTotals&) {});
        const auto found = std::ranges::find_if(totals.failing_runs, [&](const auto& report) {
            return sim::is_breach_of(plan.mutant, report.violation->law);
        });
        const bool is_caught = found != totals.failing_runs.end();
        ++(is_caught ? caught : missed);
        fmt::print("{:<36} {:>6}  {}\n", name, is_caught ? found->seed - plan.from + 1 : totals.runs,
                   is_caught ? found->violation->law : "NOT CAUGHT");
        std::fflush(stdout);
    }
    fmt::print("{} passed, {} failed\n", caught, missed);
    return missed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Runs simulated Fencepost clusters in virtual time and says whether a law was broken."};
    app.set_version_flag("--version", "fencepost-sim " FENCEPOST_VERSION);
    Options options;
    options.plan.jobs = std::max(1U, std::thread::hardware_concurrency());
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // script/sim sets its own defaults
    app.add_option("--seed,--from", options.plan.from, "the first seed")->capture_default_str();
    const auto* seeds =
        app.add_option("--seeds", options.plan.seeds, "number of seeds; a single seed is reported in detail")
            ->capture_default_str()
            ->check(CLI::PositiveNumber);
    app.add_option("--minutes", options.minutes, "start no new seed after this many real minutes");
    app.add_option("--jobs", options.plan.jobs, "number of seeds to run concurrently")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--mutant", options.mutant, "break one rule on purpose (mutation test)");
    app.add_flag("--mutants", options.mutants,
                 "break every rule in turn, and report after how many seeds it is caught");
    app.add_flag("--json", options.json, "print one JSON object instead of the verdict");
    app.add_option("--expect", options.expect, "the expected trace hash of the run");
    app.add_option("--commit", options.plan.commit, "the commit to name in failure reports");
    try {
        app.parse(argc, argv);
        const auto mutant = value_of<sim::Mutant>(options.mutant);
        if (!mutant) throw CLI::ValidationError("--mutant", fmt::format("unknown mutant \"{}\"", options.mutant));
        options.plan.mutant = *mutant;
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
        fmt::print(stderr, "fencepost-sim: {}\n{}", e.what(), app.help());
        return 2;
    }
    if (options.minutes > 0) options.plan.at_most = in_seconds(options.minutes);
    if (options.minutes > 0 && seeds->empty()) options.plan.seeds = unlimited_seeds;
    if (options.mutants) return run_mutants(options);
    return options.plan.seeds == 1 ? run_one(options) : run_many(options);
}
