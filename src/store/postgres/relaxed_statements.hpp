// SQL of relaxed mode. Statements that write run only inside a transaction that holds the lock of lock_leases and has
// verified the fence (relaxed_nonces.cpp). Statements of a reservation use the index of live nonces and never read used
// ones, because the lease row is locked meanwhile (failure 43).
#pragma once

#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::statement {

// A nonce with a hash may have been broadcast, so it never times out: if reused, it would have two transactions. A lane
// records what it signs together with the hash; unfinished signatures of an earlier opening are not awaited.
inline constexpr pg::Statement recycle_overdue{"relaxed_recycle", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RECYCLABLE', reason = 'reservation timed out', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= clock_timestamp() OR (lock_owner = $3 AND fencing_token < $2))
)sql"};

// Below the lane's low-water mark every nonce is consumed and final, so it can never be reused. The chain's latest
// count is not enough: a reorg may remove the external transaction, and no other component knows that its nonce is free
// again.
inline constexpr pg::Statement retire_consumed{"relaxed_retire", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'USED', reason = 'retired: consumed and final', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RECYCLABLE' AND nonce < $3
)sql"};

// Limited on both sides: until a VACUUM the deleted rows remain, and each reservation would step over all of them.
// In-flight nonces stay: their owner has not reported the outcome yet.
inline constexpr pg::Statement delete_retired{"relaxed_delete", R"sql(
DELETE FROM submitter_nonce_allocation
WHERE submitter = $1
  AND nonce = ANY (ARRAY(
      SELECT a.nonce
      FROM submitter_nonce_allocation a
      WHERE a.submitter = $1 AND a.nonce >= $2 AND a.nonce < $3 AND a.status = 'USED'
      ORDER BY a.nonce
      LIMIT $4))
)sql"};

// Excludes nonces with an external transaction in a mempool: ours would replace it or be refused.
inline constexpr pg::Statement smallest_recyclable{"relaxed_smallest", R"sql(
SELECT min(nonce)
FROM submitter_nonce_allocation
WHERE submitter = $1 AND status = 'RECYCLABLE' AND nonce >= $2
)sql"};

inline constexpr pg::Statement read_state{"relaxed_state", R"sql(
SELECT next_local_nonce, retired_below
FROM submitter_nonce_state
WHERE submitter = $1
)sql"};

// Includes the cursor: a nonce that the lane allocated while the key was exclusive has no reservation row, and deleted
// rows lie below the cursor. So neither is ever allocated again, whatever count the chain reports.
inline constexpr pg::Statement read_record{"relaxed_record", R"sql(
SELECT greatest(s.next_local_nonce, c.next_nonce, 0),
       coalesce(c.watch_from, 0),
       coalesce(s.retired_below, 0),
       oldest.nonce
FROM (SELECT $1::text AS submitter) i
LEFT JOIN submitter_nonce_state s ON s.submitter = i.submitter
LEFT JOIN submitter_nonce_cursor c ON c.submitter = i.submitter
LEFT JOIN LATERAL (
    SELECT a.nonce
    FROM submitter_nonce_allocation a
    WHERE a.submitter = i.submitter AND a.nonce >= coalesce(s.retired_below, 0)
    ORDER BY a.nonce
    LIMIT 1
) oldest ON true
)sql"};

// A count missing this time does not undo one recorded before.
inline constexpr pg::Statement write_state{"relaxed_advance", R"sql(
INSERT INTO submitter_nonce_state AS s
    (submitter, next_local_nonce, last_chain_nonce, fencing_token, retired_below, updated_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp())
ON CONFLICT (submitter) DO UPDATE
SET next_local_nonce = excluded.next_local_nonce,
    last_chain_nonce = greatest(s.last_chain_nonce, excluded.last_chain_nonce),
    retired_below = greatest(s.retired_below, excluded.retired_below),
    fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
)sql"};

// Takes a recyclable nonce or a new one. A RESERVED or USED nonce is never taken, under any token.
inline constexpr pg::Statement reserve_nonce{"relaxed_reserve", R"sql(
INSERT INTO submitter_nonce_allocation AS a (submitter, nonce, status, lock_owner, locked_until, fencing_token)
VALUES ($1, $2, 'RESERVED', $3, clock_timestamp() + $4, $5)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = 'RESERVED', lock_owner = excluded.lock_owner, locked_until = excluded.locked_until,
    tx_hash = NULL, reason = '', fencing_token = excluded.fencing_token, updated_at = clock_timestamp()
WHERE a.status = 'RECYCLABLE'
)sql"};

// Compares the owner in the updating statement: a caller whose reservation was recycled meanwhile comes too late.
inline constexpr pg::Statement finish_reservation{"relaxed_finish", R"sql(
UPDATE submitter_nonce_allocation
SET status = $4, tx_hash = $5::bytea, reason = $6, fencing_token = $7, updated_at = clock_timestamp()
WHERE submitter = $1 AND nonce = $2 AND lock_owner = $3 AND status = 'RESERVED'
)sql"};

// A used nonce returns only with the hash that used it and that a fork removed; a retired one has none, or no row.
inline constexpr pg::Statement put_in_flight{"relaxed_in_flight", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RESERVED', tx_hash = $4::bytea, reason = '', fencing_token = $5, updated_at = clock_timestamp()
WHERE submitter = $1 AND nonce = $2 AND lock_owner = $3
  AND (status = 'RESERVED' OR (status = 'USED' AND tx_hash = $4::bytea))
)sql"};

inline constexpr pg::Statement count_allocations{"relaxed_counts", R"sql(
SELECT count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NULL),
       count(*) FILTER (WHERE status = 'RESERVED' AND tx_hash IS NOT NULL),
       count(*) FILTER (WHERE status = 'USED'),
       count(*) FILTER (WHERE status = 'RECYCLABLE')
FROM submitter_nonce_allocation
WHERE submitter = $1
)sql"};

inline constexpr pg::Statement find_lowest_recyclable{"relaxed_lowest", R"sql(
SELECT min(nonce)
FROM submitter_nonce_allocation
WHERE submitter = $1 AND nonce >= $2
  AND (status = 'RECYCLABLE'
       OR (status = 'RESERVED' AND tx_hash IS NULL
           AND (locked_until <= clock_timestamp()
                OR (lock_owner = $3
                    AND fencing_token < (SELECT l.fencing_token FROM submitter_lease l WHERE l.submitter = $1)))))
)sql"};

}  // namespace fencepost::store::statement
