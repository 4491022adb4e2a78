// Who may write for a submitter (law 1), as rules without a database: the stores implement them in SQL, under a lock on
// the lease row and by the database's clock; the simulator and the contract tests compare against these.
#pragma once

#include <optional>

#include "base/text/enum_names.hpp"
#include "base/time.hpp"
#include "domain/ids.hpp"

namespace fencepost {

/// The lease row. It is never deleted: a release only lets it expire, or tokens would restart (failure 34).
struct Lease {
    NodeId owner;
    FenceToken token;
    UnixTime acquired_at;
    UnixTime expires_at;

    friend bool operator==(const Lease&, const Lease&) = default;
};

/// The proof a lane carries into every write: one node, one opening of the lane.
struct Fence {
    NodeId node;
    FenceToken token;

    friend bool operator==(const Fence&, const Fence&) = default;
};

enum class LeaseResult {
    inserted,    // there was no row: token 1
    reopened,    // our own unexpired lease, opened again: token + 1, or a batch of the old opening could still land
    taken_over,  // it had expired or been released: token + 1, whoever had it
    renewed,     // same opening, same token, later expiry
    not_owner,   // somebody else's, and unexpired; or no longer ours
    busy,        // the row is locked elsewhere: ask again
};
FP_ENUM_NAMES(LeaseResult, as_written, inserted, reopened, taken_over, renewed, not_owner, busy)

/// The moment that lies before every other: what a release sets expires_at to.
inline constexpr UnixTime released_at = UnixTime::min();

[[nodiscard]] bool is_expired(const Lease& lease, UnixTime database_now);

/// Whether a write under this fence may happen now.
[[nodiscard]] bool holds(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now);

struct LeaseChange {
    LeaseResult result{};
    /// The row afterwards; unchanged for not_owner.
    std::optional<Lease> lease;
};

/// Opens a lane. Every success raises the token. A missed heartbeat is no reason to take a lease; only its expiry is.
[[nodiscard]] LeaseChange open_lease(const std::optional<Lease>& lease, const NodeId& node, UnixTime database_now,
                                     Duration duration);

/// Keeps an opening alive. An expired lease is not renewed, not even for its owner: it must be opened again.
[[nodiscard]] LeaseChange renew_lease(const std::optional<Lease>& lease, const Fence& fence, UnixTime database_now,
                                      Duration duration);

/// Frees the lease for the next owner, keeping row and token. Nothing changes under any other fence.
[[nodiscard]] std::optional<Lease> release_lease(const std::optional<Lease>& lease, const Fence& fence);

}  // namespace fencepost
