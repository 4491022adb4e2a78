// How far a transaction has got on its way into a block, as it is stored: what a lane that takes over goes on from.
// Times are kept as durations from the moment of the write. How much time has passed since is told by two clocks, the
// database's and the nodes', and the shorter time counts: a clock that was set forward must not make anything due.
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
    std::optional<Duration> look_up_for{};
    /// Its clocks are not set: they are the durations above.
    TxFacts facts{};

    friend bool operator==(const TxProgress&, const TxProgress&) = default;
};

[[nodiscard]] TxProgress progress_of(const TxFacts& facts, Instant now, UnixTime node_time);

/// `passed`: since the write, by the database's clock.
[[nodiscard]] TxFacts facts_of(const TxProgress& progress, Duration passed, Instant now, UnixTime node_time);

/// The time that has certainly passed, when one clock says this and the other that.
[[nodiscard]] Duration certainly_passed(Duration by_database, Duration by_nodes);

}  // namespace fencepost
