// The lease rules (law 1) as pure functions: which node may write for a submitter. The stores implement them in SQL,
// under a lock on the lease row and with database time; the simulator and the contract tests compare against them.
#pragma once

#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// The lease row. It is never deleted: a release only expires it, otherwise tokens would restart (failure 34).
struct Lease {
    NodeId owner;
    FenceToken token;
    UnixTime acquired_at;
    UnixTime expires_at;

    friend bool operator==(const Lease&, const Lease&) = default;
};

/// What a lane carries into every write: one node, one opening of the lane.
struct Fence {
    NodeId node;
    FenceToken token;

    friend bool operator==(const Fence&, const Fence&) = default;
};

enum class LeaseResult {
    inserted,    // there was no row: token 1
    reopened,    // own unexpired lease, opened again: token + 1, otherwise a batch of the old opening could still
                 // commit
    taken_over,  // it had expired or been released: token + 1, whichever node held it
    renewed,     // same opening, same token, later expiry
    not_owner,   // unexpired and held by another node, or no longer held by this one
    busy,        // the row is locked by another transaction: retry
};
FP_ENUM_NAMES(LeaseResult, as_written, inserted, reopened, taken_over, renewed, not_owner, busy)

/// The value of expires_at after a release: before any other time.
inline constexpr UnixTime released_at = UnixTime::min();

[[nodiscard]] bool is_expired(const Lease& lease, UnixTime database_now);

/// Whether a write under this fence is allowed now.
[[nodiscard]] bool holds(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now);

struct LeaseChange {
    LeaseResult result{};
    /// The row afterwards; unchanged for not_owner.
    std::optional<Lease> lease;
};

/// Opens a lane. Every success raises the token. Only an expired lease can be taken; a missed heartbeat does not count.
[[nodiscard]] LeaseChange open_lease(const std::optional<Lease>& lease, const NodeId& node, UnixTime database_now,
                                     Duration duration);

/// Extends the lease of an opening. An expired lease is not renewed, not even for its owner: it must be opened again.
[[nodiscard]] LeaseChange renew_lease(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now,
                                      Duration duration);

/// Releases the lease for the next owner, keeping row and token. No effect under any other fence.
[[nodiscard]] std::optional<Lease> release_lease(const std::optional<Lease>& lease, const Fence& fence);

}  // namespace fencepost
