// Statements on the lease row.
#include "store/sqlite/lease_rows.hpp"

namespace fencepost::store::sqlite {

std::optional<LeaseRow> find_lease_row(Database& database, const SubmitterId& submitter) {
    Query row(database, R"sql(
SELECT owner_node, fencing_token, acquired_at, expires_at, updated_at
FROM submitter_lease
WHERE submitter = :submitter
)sql",
              submitter);
    if (!row.step()) return std::nullopt;
    return LeaseRow{{row.get<NodeId>(0), row.get<FenceToken>(1), row.get<UnixTime>(2), row.get<UnixTime>(3)},
                    row.get<UnixTime>(4)};
}

std::optional<Lease> find_lease(Database& database, const SubmitterId& submitter) {
    const auto row = find_lease_row(database, submitter);
    return row ? std::optional(row->lease) : std::nullopt;
}

void put_lease(Database& database, const SubmitterId& submitter, const Lease& lease, UnixTime now) {
    database.run(R"sql(
INSERT INTO submitter_lease (submitter, owner_node, fencing_token, acquired_at, expires_at, updated_at)
VALUES (:submitter, :owner, :token, :acquired_at, :expires_at, :now)
ON CONFLICT (submitter) DO UPDATE
SET owner_node = excluded.owner_node,
    fencing_token = excluded.fencing_token,
    acquired_at = excluded.acquired_at,
    expires_at = excluded.expires_at,
    updated_at = excluded.updated_at
)sql",
                 submitter, lease.owner, lease.token, lease.acquired_at, lease.expires_at, now);
}

std::optional<HeldFence> hold(Database& database, const SubmitterId& submitter, const Fence& fence) {
    const auto row = find_lease_row(database, submitter);
    const auto now = database.now();
    if (!row || !holds(row->lease, fence, now)) return std::nullopt;
    return HeldFence{submitter, fence, *row, now};
}

void renew_past_half(Database& database, const HeldFence& held) {
    // Opening and renewing set both times together, so their difference is the lease duration.
    const auto duration = held.row.lease.expires_at - held.row.updated_at;
    if (held.now - held.row.updated_at <= duration / 2) return;
    const auto renewed = renew_lease(held.row.lease, held.fence, held.now, duration);
    put_lease(database, held.submitter, *renewed.lease, held.now);
}

}  // namespace fencepost::store::sqlite
