// SQL of reservations in relaxed mode and of nonce recycling. INDEXED BY forces the index and its condition: otherwise
// SQLite would walk all used nonces by the primary key; with it, SQLite refuses the statement instead (failure 43).
#pragma once

#include <string_view>

namespace fencepost::store::sqlite::statement {

// A nonce with a hash may have been broadcast, so it never times out: if reused, it would have two transactions. A lane
// records what it signs together with the hash; unfinished signatures of an earlier opening are not awaited.
inline constexpr std::string_view recycle_overdue = R"sql(
UPDATE submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
SET status = 'RECYCLABLE', reason = 'not used in time', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RESERVED' AND tx_hash IS NULL
  AND (locked_until <= :now OR (lock_owner = :lane AND fencing_token < :token))
)sql";

// Below the lane's low-water mark every nonce is consumed and final, so it can never be reused. The chain's latest
// count is not enough: a reorg may remove the external transaction, and no other component knows that its nonce is free
// again.
inline constexpr std::string_view retire_consumed = R"sql(
UPDATE submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
SET status = 'USED', reason = 'retired: consumed and final', fencing_token = :token, updated_at = :now
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RECYCLABLE' AND nonce < :consumed
)sql";

// In-flight nonces stay: their owner has not reported the outcome yet.
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

// Excludes nonces with an external transaction in a mempool: ours would replace it or be refused.
inline constexpr std::string_view smallest_recyclable = R"sql(
SELECT nonce
FROM submitter_nonce_allocation INDEXED BY submitter_nonce_allocation_live
WHERE submitter = :submitter AND status <> 'USED' AND status = 'RECYCLABLE' AND nonce >= :pending
ORDER BY nonce
LIMIT 1
)sql";

// Includes the cursor: a nonce that the lane allocated while the key was exclusive has no reservation row, and deleted
// rows lie below the cursor. So neither is ever allocated again, whatever count the chain reports.
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
