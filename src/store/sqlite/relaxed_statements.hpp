// What a reservation of relaxed mode runs, and what looks for nonces to be used again. INDEXED BY, and with it the
// index's own condition: SQLite would walk through all used nonces by the primary key, and now refuses the statement
// rather than do so (failure 43).
#pragma once

#include <string_view>

namespace fencepost::store::sqlite::statement {

// What has a hash may be anywhere, and never times out: given out again, one nonce would have two transactions. What a
// lane signs it puts on record with the hash; what an earlier opening's did not is not waited for.
inline constexpr std::string_view recycle_overdue = R"sql(
UPDATE submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
SET status = 'RECYCLABLE', reason = 'not used in time', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= :now OR (lock_owner = :lane AND fencing_token < :token))
)sql";

// Below the lane's low-water mark every nonce is consumed and final, so it can never be reused. The chain's latest
// count would not do: a reorg may remove the external transaction, and nobody else knows that its nonce is free again.
inline constexpr std::string_view retire_consumed = R"sql(
UPDATE submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
SET status = 'USED', reason = 'retired: consumed and final', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RECYCLABLE' AND nonce < :consumed
)sql";

// What is in flight stays: its owner has not said yet what became of it.
inline constexpr std::string_view delete_retired = R"sql(
DELETE FROM submitter_nonce_allocation
WHERE submitter = :submitter
  AND nonce IN (
      SELECT nonce
      FROM submitter_nonce_allocation
      WHERE submitter = :submitter AND nonce >= :from AND nonce < :below AND status = 'USED'
      ORDER BY nonce
      LIMIT :limit)
)sql";

// Not one that somebody's transaction waits at in a mempool: it would replace it, or be refused.
inline constexpr std::string_view smallest_recyclable = R"sql(
SELECT nonce
FROM submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RECYCLABLE' AND nonce >= :pending
ORDER BY nonce
LIMIT 1
)sql";

// The cursor counts, too: a nonce that the lane gave while the key was ours alone has no reservation, and a row that is
// deleted lies below the cursor. So neither is ever given out as a new one, whatever the chain's count is said to be.
inline constexpr std::string_view read_record = R"sql(
SELECT max(coalesce(s.next_local_nonce, 0), coalesce(c.next_nonce, 0)),
       coalesce(c.watch_from, 0),
       coalesce(s.retired_below, 0),
       (SELECT a.nonce
        FROM submitter_nonce_allocation a
        WHERE a.submitter = i.submitter AND a.nonce >= coalesce(s.retired_below, 0)
        ORDER BY a.nonce
        LIMIT 1)
FROM (SELECT :submitter AS submitter) i
LEFT JOIN submitter_nonce_state s ON s.submitter = i.submitter
LEFT JOIN submitter_nonce_cursor c ON c.submitter = i.submitter
)sql";

inline constexpr std::string_view find_lowest_recyclable = R"sql(
SELECT nonce
FROM submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
WHERE submitter = :submitter AND status <> 'USED' AND nonce >= :from
  AND (status = 'RECYCLABLE'
       OR (status = 'RESERVED' AND tx_hash IS NULL
           AND (locked_until <= :now
                OR (lock_owner = :lane
                    AND fencing_token < (SELECT fencing_token FROM submitter_lease WHERE submitter = :submitter)))))
ORDER BY nonce
LIMIT 1
)sql";

}  // namespace fencepost::store::sqlite::statement
