// The faults between a node and its database, and how they are drawn: everything about a call is decided when it
// leaves.
#pragma once

#include <cstdint>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "ports/random.hpp"
#include "sim/chain/faults.hpp"

namespace fencepost::sim {

/// Rates per thousand calls.
struct DatabaseFaults {
    std::uint32_t slow = 0;                    // up to several seconds more, possibly beyond the caller's time-out
    std::uint32_t serialization_failures = 0;  // rolled back: certainly nothing was written
    std::uint32_t answers_lost = 0;            // executed, but the caller does not learn it
    std::uint32_t requests_lost = 0;           // never arrives, and the caller cannot know
    std::uint32_t commits_late = 0;            // the caller times out, the commit comes seconds later
};

enum class DatabaseFault { none, slow, serialization_failure, answer_lost, request_lost, commit_late };

/// Whether an unanswered call may have changed something.
enum class Effect { read, write };

/// The plan of one call.
struct CallPlan {
    DatabaseFault fault = DatabaseFault::none;
    Duration there{};
    Duration commit{};  // from execute to commit
    Duration back{};
    Duration patience{};
    /// For a lost answer: the connection breaks instead of staying silent.
    bool breaks = false;
    /// For a transaction ended by an eviction: whether the caller is told that the COMMIT was already sent.
    bool commit_was_sent = false;
};

struct CallTimes {
    Latency way;
    Latency commit;
    Duration timeout;
};

/// The number of draws does not depend on the rates, so that changing them does not shift later draws.
[[nodiscard]] CallPlan draw_plan(Random& random, const DatabaseFaults& faults, const CallTimes& times, Effect effect);

}  // namespace fencepost::sim
