// Reads and writes the lease row inside a write transaction. That transaction is SQLite's exclusive writer, which is
// the lock that law 1 requires: no node can take the lease between the read and the commit.
#pragma once

#include <optional>

#include "domain/lease.hpp"
#include "domain/submitter_id.hpp"
#include "store/sqlite/engine/sqlite_database.hpp"

namespace fencepost::store::sqlite {

struct LeaseRow {
    Lease lease;
    UnixTime updated_at;
};

[[nodiscard]] std::optional<LeaseRow> find_lease_row(Database& database, const SubmitterId& submitter);
[[nodiscard]] std::optional<Lease> find_lease(Database& database, const SubmitterId& submitter);
void put_lease(Database& database, const SubmitterId& submitter, const Lease& lease, UnixTime now);

/// A submitter's fence, verified at one moment of one transaction.
struct HeldFence {
    SubmitterId submitter;
    Fence fence;
    LeaseRow row;
    UnixTime now;
};

/// Empty when the lease no longer belongs to this opening, or has expired by the database's time.
[[nodiscard]] std::optional<HeldFence> hold(Database& database, const SubmitterId& submitter, const Fence& fence);

/// A write past half of its lease renews it for the same duration as before.
void renew_past_half(Database& database, const HeldFence& held);

}  // namespace fencepost::store::sqlite
