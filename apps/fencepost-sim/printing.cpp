#include "printing.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace fencepost::app {
namespace {

double in_seconds(Instant instant) { return std::chrono::duration<double>(instant.time_since_epoch()).count(); }

// The history of a lane is long; its end matters.
constexpr std::size_t longest_story = 60;

std::string whose(const sim::Subject& subject) {
    if (const auto* tx = std::get_if<TxId>(&subject)) return tx->value().to_string();
    return fmt::format("the lane of {}", std::get<SubmitterId>(subject));
}

void print_tail(const std::vector<std::string>& lines) {
    const auto left_out = lines.size() - std::min(lines.size(), longest_story);
    if (left_out > 0) fmt::print("       … {} earlier lines\n", left_out);
    for (std::size_t i = left_out; i < lines.size(); ++i)
        fmt::print("  {}\n", lines[i]);
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

void print_failure(const sim::RunReport& report, const RunPlan& plan) {
    const auto& violation = *report.violation;
    const auto settings = settings_of(report.seed, plan);
    fmt::print(
        "\nBROKEN: {}\n  {}\n  seed {}, commit {}, at {:.3f} virtual seconds, trace {:016x}\n"
        "  replay: {} --expect {:016x}\n",
        violation.law, violation.what, report.seed, plan.commit, in_seconds(violation.at), report.trace_hash,
        settings.replay_command(), report.trace_hash);
    if (std::holds_alternative<std::monostate>(violation.subject)) return;
    sim::Timeline timeline(violation.subject);
    const auto again = sim::simulate(settings, &timeline);
    fmt::print("  the timeline of {}{}:\n", whose(violation.subject),
               again.trace_hash == report.trace_hash ? "" : " (THE SECOND RUN DIFFERED)");
    print_tail(timeline.lines());
}

}  // namespace fencepost::app
