// Why a whole cluster runs in one thread and in virtual time: the core touches no technology, no clock, no randomness
// and no thread of its own. These rules keep it so.
#pragma once

#include "source_tree.hpp"

namespace fencepost::tidy {

/// Database, HTTP and RPC headers in domain, ports, lane and cluster, and Asio in domain, also when they come in
/// through headers of ours (seeds checklist AP10).
[[nodiscard]] Findings technology_in_the_core(const SourceTree& tree);

/// Coroutines in domain: its rules are plain functions.
[[nodiscard]] Findings coroutines_in_domain(const SourceFile& file);

/// Clocks, timers, randomness, threads and the environment where the ports must be used instead.
[[nodiscard]] Findings hidden_inputs(const SourceFile& file);

/// Locks in domain, lane and cluster, where one thread owns everything.
[[nodiscard]] Findings locks_in_the_core(const SourceFile& file);

/// Tasks that nobody owns, anywhere.
[[nodiscard]] Findings detached_tasks(const SourceFile& file);

}  // namespace fencepost::tidy
