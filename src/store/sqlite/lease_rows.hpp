// The lease row, read and written inside a write transaction. That transaction is SQLite's only writer, which is the
// lock that law 1 asks for: between the look at the row and the commit nobody can take the lease.
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

/// A submitter's fence, found to hold at one moment of one transaction.
struct HeldFence {
    SubmitterId submitter;
    Fence fence;
    LeaseRow row;
    UnixTime now;
};

/// Nothing when the lease is not this opening's any more, or has expired by the database's time.
[[nodiscard]] std::optional<HeldFence> hold(Database& database, const SubmitterId& submitter, const Fence& fence);

/// A write past half of its lease renews it, for as long as it was given before.
void renew_past_half(Database& database, const HeldFence& held);

}  // namespace fencepost::store::sqlite
