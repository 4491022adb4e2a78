// What can go wrong between a node and its database, and how it is drawn: everything about a call's way is decided when
// it leaves.
#pragma once

#include <cstdint>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "ports/random.hpp"
#include "sim/chain/faults.hpp"

namespace fencepost::sim {

/// Of a thousand calls so many go wrong in this way.
struct DatabaseFaults {
    std::uint32_t slow = 0;                    // up to several seconds more, also beyond the caller's patience
    std::uint32_t serialization_failures = 0;  // rolled back: certainly nothing was written
    std::uint32_t answers_lost = 0;            // done, and the caller does not learn it
    std::uint32_t requests_lost = 0;           // never arrives, and the caller cannot know
    std::uint32_t commits_late = 0;            // the caller gives up, the commit comes seconds later
};

enum class DatabaseFault { none, slow, serialization_failure, answer_lost, request_lost, commit_late };

/// Whether a call that gets no answer may have changed something.
enum class Effect { read, write };

/// How a call goes.
struct CallPlan {
    DatabaseFault fault = DatabaseFault::none;
    Duration there{};
    Duration commit{};  // from execute to commit
    Duration back{};
    Duration patience{};
    /// Of an answer that is lost: the connection breaks then, instead of staying silent.
    bool breaks = false;
    /// What the caller is told if its transaction is ended by an eviction: that the COMMIT was already sent, or not.
    bool commit_was_sent = false;
};

struct CallTimes {
    Latency way;
    Latency commit;
    Duration timeout;
};

/// The number of draws is the same whatever the rates, so that changing them does not shift what is drawn after.
[[nodiscard]] CallPlan draw_plan(Random& random, const DatabaseFaults& faults, const CallTimes& times, Effect effect);

}  // namespace fencepost::sim
