// Every statement that writes a submitter's data. They run only inside a transaction that holds the locks of
// lock_leases and has verified the fence (lane_write.cpp), and are used nowhere else.
#pragma once

#include "store/postgres/connection/pg_connection.hpp"

namespace fencepost::store::statement {

// Law 1: comes first, in one order, waiting for no lock. Submitters not locked here are not written.
inline constexpr pg::Statement lock_leases{"write_lock", R"sql(
SELECT submitter, owner_node, fencing_token,
       expires_at > clock_timestamp(),
       expires_at - clock_timestamp() < (expires_at - updated_at) / 2
FROM submitter_lease
WHERE submitter = ANY ($1::text[])
ORDER BY submitter
FOR NO KEY UPDATE SKIP LOCKED
)sql"};

// For leases that were not locked: tells "locked elsewhere" from "lost".
inline constexpr pg::Statement read_leases{"write_leases", R"sql(
SELECT submitter, owner_node, fencing_token, expires_at > clock_timestamp()
FROM submitter_lease
WHERE submitter = ANY ($1::text[])
)sql"};

// Runs after the lock, so it sees what the last holder of the lock committed.
inline constexpr pg::Statement read_cursors{"write_cursors", R"sql(
SELECT submitter, next_nonce
FROM submitter_nonce_cursor
WHERE submitter = ANY ($1::text[])
)sql"};

// A command that is already done was executed by a newer opening of the lane.
inline constexpr pg::Statement unexpected_commands{"write_compare_commands", R"sql(
SELECT i.submitter
FROM unnest($1::bigint[], $2::text[]) AS i (sequence, submitter)
LEFT JOIN submitter_command c ON c.sequence = i.sequence AND c.submitter = i.submitter AND NOT c.done
WHERE c.sequence IS NULL
)sql"};

// For shared keys: an allocation that does not belong to the lane or is not in the required state; or one that was
// retired and deleted: inserted again, it could be allocated again. Every writer of allocations holds the lease row, so
// the result still holds when it is written.
inline constexpr pg::Statement unexpected_allocations{"write_compare_allocations", R"sql(
SELECT i.submitter
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[]) AS i (submitter, nonce, status, tx_hash)
LEFT JOIN submitter_nonce_allocation a ON a.submitter = i.submitter AND a.nonce = i.nonce
LEFT JOIN submitter_nonce_state s ON s.submitter = i.submitter
WHERE a.lock_owner <> $5
   OR (a.status <> 'RESERVED'
       AND (a.status <> 'USED' OR i.status <> 'RESERVED' OR a.tx_hash IS DISTINCT FROM i.tx_hash))
   OR (a.nonce IS NULL AND i.nonce < s.retired_below)
)sql"};

// A nonce allocated while the key was exclusive has no allocation row yet.
inline constexpr pg::Statement mark_allocations{"write_allocations", R"sql(
INSERT INTO submitter_nonce_allocation
    (submitter, nonce, status, lock_owner, locked_until, tx_hash, reason, fencing_token)
SELECT i.submitter, i.nonce, i.status, $7, clock_timestamp(), i.tx_hash, i.reason, i.token
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::bigint[])
    AS i (submitter, nonce, status, tx_hash, reason, token)
ON CONFLICT (submitter, nonce) DO UPDATE
SET status = excluded.status, tx_hash = excluded.tx_hash, reason = excluded.reason,
    fencing_token = excluded.fencing_token, updated_at = clock_timestamp()
)sql"};

// A released nonce may go to another transaction, and the ledger has room for one.
inline constexpr pg::Statement leave_ledger{"write_leave_ledger", R"sql(
DELETE FROM nonce_assignment n
USING unnest($1::text[], $2::bigint[], $3::text[]) AS i (submitter, nonce, status)
WHERE i.status = 'RECYCLABLE' AND n.submitter = i.submitter AND n.nonce = i.nonce
)sql"};

// Compares and writes in one statement: a row that is not in the expected state, or belongs to another submitter, is
// left unchanged and missing from the result. IS NOT DISTINCT FROM matches no index, so the row is found by its primary
// key whatever the planner estimates. Touches no indexed column except `done`, which flips once: the frequent updates
// are HOT. Returns the position in the batch and the sequence of the transaction's next event.
inline constexpr pg::Statement update_transactions{"write_transactions", R"sql(
UPDATE managed_tx t
SET state = i.state,
    sub_state = coalesce(i.sub_state, ''),
    abandonment = coalesce(i.abandonment, t.abandonment),
    nonce = coalesce(i.nonce, t.nonce),
    -- The hash of the mined attempt, else of the latest.
    tx_hash = CASE WHEN i.receipt_action = 1 THEN i.tx_hash
                   WHEN i.receipt_action = 2 THEN coalesce(i.tx_hash, (
                       SELECT a.tx_hash FROM tx_attempt a WHERE a.tx_id = t.tx_id ORDER BY a.ordinal DESC LIMIT 1))
                   WHEN t.receipt IS NULL THEN coalesce(i.tx_hash, t.tx_hash)
                   ELSE t.tx_hash END,
    done = t.done OR coalesce(i.done, false),
    confirmed_at = CASE WHEN i.confirmed THEN clock_timestamp() ELSE t.confirmed_at END,
    submit_attempts = t.submit_attempts + coalesce(i.sends::int, 0),
    first_submit_at = CASE WHEN i.sends > 0 THEN coalesce(t.first_submit_at, clock_timestamp())
                           ELSE t.first_submit_at END,
    last_submit_at = CASE WHEN i.sends > 0 THEN clock_timestamp() ELSE t.last_submit_at END,
    next_resubmit_at = CASE WHEN i.next_in IS NULL THEN t.next_resubmit_at
                            ELSE clock_timestamp() + i.next_in * interval '1 microsecond' END,
    progress = coalesce(i.progress, t.progress),
    progress_at = CASE WHEN i.progress IS NULL THEN t.progress_at ELSE clock_timestamp() END,
    last_receipt_check = CASE WHEN i.receipt_missing THEN clock_timestamp() ELSE t.last_receipt_check END,
    last_error = CASE WHEN i.error IS NULL THEN t.last_error ELSE nullif(i.error, '') END,
    receipt = CASE WHEN i.receipt_action IS NULL THEN t.receipt ELSE i.receipt::jsonb END,
    receipt_block_number = CASE WHEN i.receipt_action IS NULL THEN t.receipt_block_number ELSE i.receipt_number END,
    receipt_block_hash = CASE WHEN i.receipt_action IS NULL THEN t.receipt_block_hash ELSE i.receipt_hash END,
    confirmations = coalesce(i.confirmations::jsonb, t.confirmations),
    next_event = t.next_event + coalesce(i.events, 0),
    fencing_token = i.token,
    updated_at = clock_timestamp()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
            $9::bytea[], $10::bool[], $11::bool[], $12::bigint[], $13::bigint[], $14::bool[], $15::text[],
            $16::bigint[], $17::text[], $18::bigint[], $19::bytea[], $20::text[], $21::bigint[], $22::bigint[],
            $23::text[])
    WITH ORDINALITY
    AS i (tx_id, submitter, expected_state, expected_sub_state, state, sub_state, abandonment, nonce, tx_hash, done,
          confirmed, sends, next_in, receipt_missing, error, receipt_action, receipt, receipt_number, receipt_hash,
          confirmations, events, token, progress, ord)
WHERE t.tx_id = i.tx_id
  AND t.submitter IS NOT DISTINCT FROM i.submitter
  AND t.state IS NOT DISTINCT FROM i.expected_state
  AND t.sub_state IS NOT DISTINCT FROM coalesce(i.expected_sub_state, '')
  AND (i.nonce IS NULL OR t.nonce IS NULL)
RETURNING i.ord, t.next_event
)sql"};

// For transactions that update_transactions found to have lost their nonce permanently. The unique indexes allow at
// most one requeue. The submitter's status does not matter: this intent was accepted earlier.
inline constexpr pg::Statement insert_requeued{"write_requeued", R"sql(
INSERT INTO managed_tx (tx_id, accept_sequence, submitter, request_id, fingerprint, next_event, fencing_token,
                        requeued_from)
SELECT i.tx_id, nextval('accept_sequence'), t.submitter, i.request_id, t.fingerprint, 2, i.token, t.tx_id
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[]) AS i (tx_id, requeued_from, request_id, token)
JOIN managed_tx t ON t.tx_id = i.requeued_from
)sql"};

inline constexpr pg::Statement insert_requeued_intents{"write_requeued_intents", R"sql(
INSERT INTO tx_intent (tx_id, payload)
SELECT i.tx_id, p.payload
FROM unnest($1::uuid[], $2::uuid[]) AS i (tx_id, requeued_from)
JOIN tx_intent p ON p.tx_id = i.requeued_from
)sql"};

// Law 2: recorded before any byte is sent. A transaction that just got its nonce has no attempts; others continue their
// ordinal.
inline constexpr pg::Statement insert_attempts{"write_attempts", R"sql(
INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token)
SELECT i.tx_id,
       i.place + CASE WHEN i.first THEN 0 ELSE (
           SELECT coalesce(max(a.ordinal) + 1, 0) FROM tx_attempt a WHERE a.tx_id = i.tx_id) END,
       i.kind, i.nonce, i.tx_hash, i.raw, i.gas_params::jsonb, i.token
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[], $7::text[], $8::bigint[],
            $9::bool[])
    AS i (tx_id, place, kind, nonce, tx_hash, raw, gas_params, token, first)
)sql"};

// Law 2 for signing connectors: recorded before the connector is called.
inline constexpr pg::Statement insert_claims{"write_claims", R"sql(
INSERT INTO tx_claimed_send (tx_id, ordinal, kind, nonce, payload, fencing_token)
SELECT i.tx_id,
       i.place + (SELECT coalesce(max(c.ordinal) + 1, 0) FROM tx_claimed_send c WHERE c.tx_id = i.tx_id),
       i.kind, i.nonce, i.payload::jsonb, i.token
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[])
    AS i (tx_id, place, kind, nonce, payload, token)
)sql"};

// Law 3: the primary key is the last defence against a nonce allocated twice.
inline constexpr pg::Statement assign_nonces{"write_nonces", R"sql(
INSERT INTO nonce_assignment (submitter, nonce, tx_id)
SELECT i.submitter, i.nonce, i.tx_id
FROM unnest($1::text[], $2::bigint[], $3::uuid[]) AS i (submitter, nonce, tx_id)
)sql"};

// Verdicts are counted here, once: there are too many to count on each query.
inline constexpr pg::Statement count_verdicts{"write_tally", R"sql(
INSERT INTO submitter_tally AS t (submitter, state, count, fencing_token, updated_at)
SELECT i.submitter, i.state, i.count, i.token, clock_timestamp()
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS i (submitter, state, count, token)
ON CONFLICT (submitter, state) DO UPDATE
SET count = t.count + excluded.count, fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
)sql"};

// The current blocks of settled transactions, one row per block, which a lane watches after opening (failure 26). Runs
// after update_transactions.
inline constexpr pg::Statement note_settled{"write_settled", R"sql(
INSERT INTO settled_block AS b (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT t.submitter, min(t.nonce), max(t.nonce), p.number, p.hash, max(i.token)
FROM unnest($1::uuid[], $2::bigint[]) AS i (tx_id, token)
JOIN managed_tx t ON t.tx_id = i.tx_id
CROSS JOIN LATERAL (
    SELECT CASE WHEN t.sub_state <> 'FORKED' THEN t.receipt_block_number END AS number,
           CASE WHEN t.sub_state <> 'FORKED' THEN t.receipt_block_hash ELSE '' END AS hash
) p
WHERE t.nonce IS NOT NULL AND p.hash IS NOT NULL
GROUP BY t.submitter, p.number, p.hash, CASE WHEN p.number IS NULL THEN t.tx_id END
ON CONFLICT (submitter, first_nonce, block_hash) DO UPDATE
SET last_nonce = greatest(b.last_nonce, excluded.last_nonce), fencing_token = excluded.fencing_token
)sql"};

// Finalized transactions need no watching.
inline constexpr pg::Statement forget_settled{"write_forget_settled", R"sql(
DELETE FROM settled_block b
USING unnest($1::text[], $2::bigint[]) AS i (submitter, watch_from)
WHERE b.submitter = i.submitter AND b.first_nonce < i.watch_from AND b.last_nonce < i.watch_from
)sql"};

inline constexpr pg::Statement move_cursors{"write_cursor", R"sql(
INSERT INTO submitter_nonce_cursor AS c (submitter, next_nonce, watch_from, fencing_token, updated_at)
SELECT i.submitter, i.next, i.first_watched, i.token, clock_timestamp()
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS i (submitter, next, first_watched, token)
ON CONFLICT (submitter) DO UPDATE
SET next_nonce = excluded.next_nonce, fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
)sql"};

inline constexpr pg::Statement move_watch{"write_watch", R"sql(
UPDATE submitter_nonce_cursor c
SET watch_from = i.watch_from, fencing_token = i.token, updated_at = clock_timestamp()
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS i (submitter, watch_from, token)
WHERE c.submitter = i.submitter
)sql"};

// Rare: runs when a submitter's window changed by a factor of two. An unchanged value keeps its time.
inline constexpr pg::Statement set_windows{"write_window", R"sql(
UPDATE submitter_nonce_cursor c
SET window_size = i.size, window_limit = i.cause, window_changed_at = clock_timestamp(), fencing_token = i.token,
    updated_at = clock_timestamp()
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) AS i (submitter, size, cause, token)
WHERE c.submitter = i.submitter
  AND (c.window_size IS DISTINCT FROM i.size OR c.window_limit IS DISTINCT FROM i.cause)
)sql"};

inline constexpr pg::Statement set_statuses{"write_status", R"sql(
INSERT INTO submitter_status (submitter, status, reason, fencing_token, updated_at)
SELECT i.submitter, i.status, i.reason, i.token, clock_timestamp()
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS i (submitter, status, reason, token)
ON CONFLICT (submitter) DO UPDATE
SET status = excluded.status, reason = excluded.reason, fencing_token = excluded.fencing_token,
    updated_at = excluded.updated_at
)sql"};

inline constexpr pg::Statement finish_commands{"write_commands", R"sql(
UPDATE submitter_command c
SET done = true, done_at = clock_timestamp(), fencing_token = i.token
FROM unnest($1::bigint[], $2::bigint[]) AS i (sequence, token)
WHERE c.sequence = i.sequence AND NOT c.done
)sql"};

// The sequences come from update_transactions, which advanced each transaction's counter under the same lock.
inline constexpr pg::Statement insert_events{"write_events", R"sql(
INSERT INTO tx_event (tx_id, number, sequence, kind, body, node, fencing_token)
SELECT i.tx_id, i.ord, i.sequence, i.kind, i.body, i.node, i.token
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    WITH ORDINALITY AS i (tx_id, sequence, kind, body, node, token, ord)
)sql"};

// A step equal to the last one, without an event between them, is counted in its row; any other gets its own row.
// Events are never folded.
inline constexpr pg::Statement fold_steps{"write_fold", R"sql(
WITH step AS MATERIALIZED (
    SELECT i.*, last.number, coalesce(last.same, false) AS same
    FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
        AS i (tx_id, next_event, kind, body, node, token, times)
    LEFT JOIN LATERAL (
        SELECT e.number, e.next_event = i.next_event AND e.kind = i.kind AND e.body = i.body AS same
        FROM tx_event e
        WHERE e.tx_id = i.tx_id AND e.sequence IS NULL
        ORDER BY e.number DESC
        LIMIT 1
    ) last ON true
), folded AS (
    UPDATE tx_event e
    SET times = e.times + s.times::int, last_at = clock_timestamp(), node = s.node, fencing_token = s.token
    FROM step s
    WHERE s.same AND e.tx_id = s.tx_id AND e.number = s.number AND e.sequence IS NULL
)
INSERT INTO tx_event (tx_id, next_event, kind, body, node, fencing_token, times)
SELECT tx_id, next_event, kind, body, node, token, times::int
FROM step
WHERE NOT same
)sql"};

inline constexpr pg::Statement insert_steps{"write_steps", R"sql(
INSERT INTO tx_event (tx_id, next_event, kind, body, node, fencing_token, times)
SELECT i.tx_id, i.next_event, i.kind, i.body, i.node, i.token, i.times::int
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
    WITH ORDINALITY AS i (tx_id, next_event, kind, body, node, token, times, ord)
ORDER BY i.ord
)sql"};

// A write past half of its lease renews it for the original duration.
inline constexpr pg::Statement renew_written{"write_renew", R"sql(
UPDATE submitter_lease
SET expires_at = clock_timestamp() + (expires_at - updated_at), updated_at = clock_timestamp()
WHERE submitter = ANY ($1::text[])
)sql"};

}  // namespace fencepost::store::statement
