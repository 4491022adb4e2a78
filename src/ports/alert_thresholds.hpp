// Thresholds of the built-in alerts (`monitoring.*`). One struct, because an operator sets them together; the
// components that apply them do not depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost {

struct AlertThresholds {
    /// FENCED_SPIKE: more fenced writes than this per window. A takeover causes one or two; more means that nodes
    /// compete for a lease, or that a clock jumps.
    std::uint64_t fenced = 5;
    /// RECEIPT_BACKLOG: the backlog grew in this many consecutive windows, to at least `min_backlog` transactions.
    std::size_t backlog_windows = 3;
    std::uint64_t min_backlog = 100;
    /// RESUBMIT_RATE: the maximum percentage of resends among all sends of a window; not evaluated below
    /// `min_resubmits` resends.
    std::uint64_t resubmit_percent = 50;
    std::uint64_t min_resubmits = 20;
    /// RESERVED_ABOVE_THRESHOLD: more nonces of a shared key than this are reserved and not sent.
    std::uint64_t reserved = 100;
    /// RECONCILE_FAILURE: this many consecutive reconciliations failed. A single failure is usually a time-out.
    std::uint32_t reconcile_failures = 3;
};

}  // namespace fencepost
