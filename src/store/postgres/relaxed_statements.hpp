// Relaxed mode's statements. Those that write run only inside a transaction that holds the lock of lock_leases and
// found the fence to hold (relaxed_nonces.cpp). What a reservation runs finds its rows by the index of live ones, and
// never reads a used nonce: the lease row is locked meanwhile (failure 43).
#pragma once

#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::statement {

// What has a hash may be anywhere, and never times out: given out again, one nonce would have two transactions. What a
// lane signs it puts on record with the hash; what an earlier opening's did not is not waited for.
inline constexpr pg::Statement recycle_overdue{"relaxed_recycle", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'RECYCLABLE', reason = 'reservation timed out', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= clock_timestamp() OR (lock_owner = $3 AND fencing_token < $2))
)sql"};

// Below the lane's low-water mark every nonce is consumed and final, so it can never be reused. The chain's latest
// count would not do: a reorg may remove the external transaction, and nobody else knows that its nonce is free again.
inline constexpr pg::Statement retire_consumed{"relaxed_retire", R"sql(
UPDATE submitter_nonce_allocation
SET status = 'USED', reason = 'retired: consumed and final', fencing_token = $2, updated_at = clock_timestamp()
WHERE submitter = $1 AND status = 'RECYCLABLE' AND nonce < $3
)sql"};

// Between the bounds only, not from the first nonce on: until a VACUUM the deleted rows still lie there, and each
// reservation would step over all of them. What is in flight stays: its owner has not said yet what became of it.
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

// Not one that somebody's transaction waits at in a mempool: it would replace it, or be refused.
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

// The cursor counts, too: a nonce that the lane gave while the key was ours alone has no reservation, and a row that is
// deleted lies below the cursor. So neither is ever given out as a new one, whatever the chain's count is said to be.
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

// What was not heard of the chain this time does not undo what was heard before.
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

// Takes a recyclable nonce or a new one. A nonce that is RESERVED or USED is never taken, under whatever token.
inline constexpr pg::Statement reserve_nonce{"relaxed_reserve", R"sql(
INSERT INTO submitter_nonce_allocation AS a (submitter, nonce, status, lock_owner, locked_until, fencing_token)
VALUES ($1, $2, 'RESERVED', $3, clock_timestamp() + $4, $5)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = 'RESERVED', lock_owner = excluded.lock_owner, locked_until = excluded.locked_until,
    tx_hash = NULL, reason = '', fencing_token = excluded.fencing_token, updated_at = clock_timestamp()
WHERE a.status = 'RECYCLABLE'
)sql"};

// The owner is compared in the statement that marks: a caller whose reservation was recycled meanwhile comes too late.
inline constexpr pg::Statement finish_reservation{"relaxed_finish", R"sql(
UPDATE submitter_nonce_allocation
SET status = $4, tx_hash = $5::bytea, reason = $6, fencing_token = $7, updated_at = clock_timestamp()
WHERE submitter = $1 AND nonce = $2 AND lock_owner = $3 AND status = 'RESERVED'
)sql"};

// A used one comes back only by the hash that used it, which a fork took out; a retired one has none, or no row.
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
