// The faults between a node and an endpoint: scripted in scenarios, random in the simulator.
#pragma once

#include <cstdint>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "ports/random.hpp"

namespace fencepost::sim {

enum class SendFault {
    none,
    unreachable,               // nothing leaves the node
    lost,                      // leaves the node, never arrives; no answer
    timed_out_after_arriving,  // arrives and is processed; no answer
    rate_limited,              // 429: arrives, is not processed
    duplicated,                // arrives twice; the answer is that of the second
};
FP_ENUM_NAMES(SendFault, as_written, none, unreachable, lost, timed_out_after_arriving, rate_limited, duplicated)

enum class ReadFault { none, unreachable, timed_out, rate_limited, refused };
FP_ENUM_NAMES(ReadFault, as_written, none, unreachable, timed_out, rate_limited, refused)

/// Rates per thousand calls.
struct FaultRates {
    std::uint32_t sends_lost = 0;
    std::uint32_t sends_timed_out_after_arriving = 0;
    std::uint32_t sends_rate_limited = 0;
    std::uint32_t sends_duplicated = 0;
    std::uint32_t reads_timed_out = 0;
    std::uint32_t reads_rate_limited = 0;
    std::uint32_t reads_refused = 0;
    /// Applies to sends and reads.
    std::uint32_t unreachable = 0;

    [[nodiscard]] SendFault draw_send(Random& random) const;
    [[nodiscard]] ReadFault draw_read(Random& random) const;
};

/// The duration of a call, both ways together.
struct Latency {
    Duration least = std::chrono::milliseconds(2);
    Duration most = std::chrono::milliseconds(20);

    [[nodiscard]] Duration draw(Random& random) const;
};

}  // namespace fencepost::sim
