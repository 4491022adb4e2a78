// The output of fencepost-sim: the injected faults, the law that was broken, and the timeline of the transaction
// or lane concerned.
#pragma once

#include "runs.hpp"

namespace fencepost::app {

/// The counters of one run. Its settings were printed before it started.
void print_run(const sim::RunReport& report);
/// How the failure happened. Runs the seed again to record the timeline, and reports whether both runs were identical.
void print_failure(const sim::RunReport& report, const RunPlan& plan);
void print_counts(const sim::Counts& counts);

}  // namespace fencepost::app
