#include "printing.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace fencepost::app {
namespace {

double in_seconds(Instant instant) { return std::chrono::duration<double>(instant.time_since_epoch()).count(); }

std::string command_for(const sim::RunReport& report, sim::Mutant mutant) {
    const auto broken = mutant == sim::Mutant::none ? "" : fmt::format(" --mutant {}", name_of(mutant));
    return fmt::format("fencepost-sim --seed {}{} --expect {:016x}", report.seed, broken, report.trace_hash);
}

}  // namespace

void print_counts(const sim::Counts& counts) {
    for (const auto& [name, count] : counts) {
        if (count > 0) fmt::print("  {:>10}  {}\n", count, name);
    }
}

void print_run(const sim::RunReport& report) {
    print_counts(report.counts);
    fmt::print("  {:.0f} virtual seconds, {} steps, trace {:016x}\n",
               std::chrono::duration<double>(report.virtual_time).count(), report.steps, report.trace_hash);
}

void print_failure(const sim::RunReport& report, sim::Mutant mutant, const std::string& commit) {
    const auto& violation = *report.violation;
    fmt::print("\nBROKEN: {}\n  {}\n  seed {}, commit {}, at {:.3f} virtual seconds, trace {:016x}\n  replay: {}\n",
               violation.law, violation.what, report.seed, commit, in_seconds(violation.at), report.trace_hash,
               command_for(report, mutant));
    if (!violation.tx) return;
    sim::Story story(*violation.tx);
    const auto again = sim::simulate(settings_of(report.seed, mutant), &story);
    fmt::print("  the story of {}{}:\n", violation.tx->value().to_string(),
               again.trace_hash == report.trace_hash ? "" : " (THE SECOND RUN WAS ANOTHER)");
    for (const auto& line : story.lines())
        fmt::print("  {}\n", line);
}

}  // namespace fencepost::app
