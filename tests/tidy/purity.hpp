// The core uses no technology, no real clock, no randomness and no threads, so that a whole cluster can run in one
// thread and in virtual time. These rules enforce that.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// Database, HTTP and RPC headers in domain, ports, lane and cluster, and Asio in domain, including indirect includes
/// through project headers (requirement AP10).
[[nodiscard]] Findings technology_in_the_core(const SourceTree& tree);

/// Coroutines in domain: its rules are plain functions.
[[nodiscard]] Findings coroutines_in_domain(const SourceFile& file);

/// Direct use of clocks, timers, randomness, threads and the environment where the ports must be used.
[[nodiscard]] Findings hidden_inputs(const SourceFile& file);

/// Locks in domain, lane and cluster, where one thread owns everything.
[[nodiscard]] Findings locks_in_the_core(const SourceFile& file);

/// Detached tasks, anywhere.
[[nodiscard]] Findings detached_tasks(const SourceFile& file);

}  // namespace fencepost::tidy
