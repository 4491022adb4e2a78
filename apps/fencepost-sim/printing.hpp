// What fencepost-sim says: what was injected, which law was broken, and the timeline of the transaction
// or lane concerned.
#pragma once

#include "runs.hpp"

namespace fencepost::app {

/// Counts of one run. Its settings were printed before it began.
void print_run(const sim::RunReport& report);
/// How it came about. Runs the seed again to gather the timeline, and says whether the second run was the same.
void print_failure(const sim::RunReport& report, const RunPlan& plan);
void print_counts(const sim::Counts& counts);

}  // namespace fencepost::app
