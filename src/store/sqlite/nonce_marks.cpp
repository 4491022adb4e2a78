// Applies nonce marks of a lane's write.
#include "store/sqlite/nonce_marks.hpp"

#include "store/text_check.hpp"

namespace fencepost::store::sqlite {
namespace {

// The nonce may now go to another transaction, and the ledger has room for one.
void leave_ledger(Database& database, const HeldFence& held, Nonce nonce) {
    database.run("DELETE FROM nonce_assignment WHERE submitter = :submitter AND nonce = :nonce", held.submitter, nonce);
}

// The row was deleted because the nonce was retired: inserted again, it could be allocated again.
bool is_retired(Database& database, const HeldFence& held, Nonce nonce) {
    return find_value<std::int64_t>(database, R"sql(
SELECT 1
FROM submitter_nonce_state s
WHERE s.submitter = :submitter AND s.retired_below > :nonce
  AND NOT EXISTS (SELECT 1 FROM submitter_nonce_allocation a WHERE a.submitter = s.submitter AND a.nonce = :nonce)
)sql",
                                    held.submitter, nonce)
        .has_value();
}

}  // namespace

// A nonce allocated while the key was exclusive has no allocation row yet.
bool mark_nonce(Database& database, const HeldFence& held, const NonceMark& mark) {
    if (is_retired(database, held, mark.nonce)) return false;
    const auto changed = database.run(R"sql(
INSERT INTO submitter_nonce_allocation AS a
    (submitter, nonce, status, lock_owner, locked_until, tx_hash, reason, fencing_token, created_at, updated_at)
VALUES (:submitter, :nonce, :status, :owner, :now, :hash, :reason, :token, :now, :now)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = excluded.status,
    tx_hash = excluded.tx_hash,
    reason = excluded.reason,
    fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
WHERE a.lock_owner = excluded.lock_owner
  AND (a.status = 'RESERVED'
       OR (a.status = 'USED' AND excluded.status = 'RESERVED' AND a.tx_hash = excluded.tx_hash))
)sql",
                                      held.submitter, mark.nonce, mark.status, lane_owner, held.now, mark.hash,
                                      storable(mark.reason), held.fence.token);
    if (changed == 0) return false;
    if (mark.status == AllocationStatus::recyclable) leave_ledger(database, held, mark.nonce);
    return true;
}

}  // namespace fencepost::store::sqlite
