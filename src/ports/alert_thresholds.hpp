// From which figures on somebody is woken (`monitoring.*`). In one place, because an operator sets them together, and
// apart from those who judge by them, who do not know each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost {

struct AlertThresholds {
    /// A takeover is fenced once or twice; more than so many in a window are nodes that fight, or clocks that jump.
    std::uint64_t fenced = 5;
    /// The backlog counts as growing when it grew through so many windows in a row, to at least so many transactions.
    std::size_t backlog_windows = 3;
    std::uint64_t backlog_least = 100;
    /// Of what was sent in a window so many per cent may be repeats; not judged when there were fewer than the least.
    std::uint64_t resubmit_percent = 50;
    std::uint64_t resubmits_least = 20;
    /// More nonces of a shared key than this are reserved and not sent.
    std::uint64_t reserved = 100;
    /// A key could not be compared with its chain so many times in a row; once is a call that timed out.
    std::uint32_t reconcile_failures = 3;
};

}  // namespace fencepost
