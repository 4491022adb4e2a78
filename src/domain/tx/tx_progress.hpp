// The stored progress of a transaction, from which a lane continues after a takeover. Times are durations relative to
// the write. The elapsed time is measured by two clocks, the database's and the nodes', and the shorter one counts: a
// clock that was set forward must not make anything due.
#pragma once

#include "base/time.hpp"
#include "domain/tx/tx_facts.hpp"

namespace fencepost {

struct TxProgress {
    /// By the clock of the node that wrote it.
    UnixTime written_at{};
    std::optional<Duration> sent_for{};
    Duration resend_in{};
    Duration bump_in{};
    Duration stuck_in{};
    std::optional<Duration> lookup_for{};
    /// Without its clock fields: these are the durations above.
    TxFacts facts{};

    friend bool operator==(const TxProgress&, const TxProgress&) = default;
};

[[nodiscard]] TxProgress progress_of(const TxFacts& facts, Instant now, UnixTime node_time);

/// `passed`: time since the write, by the database's clock.
[[nodiscard]] TxFacts facts_of(const TxProgress& progress, Duration passed, Instant now, UnixTime node_time);

/// The elapsed time that is certain, given what the two clocks report.
[[nodiscard]] Duration certain_elapsed(Duration by_database, Duration by_nodes);

}  // namespace fencepost
