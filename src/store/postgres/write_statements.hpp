// Every statement that writes what belongs to a submitter, in one place: they run only inside a transaction that holds
// the locks of lock_leases and found the fence to hold (lane_write.cpp). None of them is used anywhere else.
#pragma once

#include "store/postgres/pg_connection.hpp"

namespace fencepost::store::statement {

// Law 1. First of all, in one order, none waited for. What is not locked here is not written.
inline constexpr pg::Statement lock_leases{"write_lock", R"sql(
SELECT submitter, owner_node, fencing_token,
       expires_at > clock_timestamp(),
       expires_at - clock_timestamp() < (expires_at - updated_at) / 2
FROM submitter_lease
WHERE submitter = ANY ($1::text[])
ORDER BY submitter
FOR NO KEY UPDATE SKIP LOCKED
)sql"};

// Of those not locked: to tell "locked elsewhere" from "not ours any more".
inline constexpr pg::Statement read_leases{"write_leases", R"sql(
SELECT submitter, owner_node, fencing_token, expires_at > clock_timestamp()
FROM submitter_lease
WHERE submitter = ANY ($1::text[])
)sql"};

// A statement after the lock: it sees what the last holder of the lock committed.
inline constexpr pg::Statement unexpected_positions{"write_compare", R"sql(
SELECT i.ord
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bool[])
    WITH ORDINALITY AS i (tx_id, submitter, state, sub_state, unassigned, ord)
LEFT JOIN managed_tx t ON t.tx_id = i.tx_id
WHERE (t.submitter, t.state, t.sub_state) IS DISTINCT FROM (i.submitter, i.state, i.sub_state)
   OR (i.unassigned AND t.nonce IS NOT NULL)
)sql"};

inline constexpr pg::Statement read_cursors{"write_cursors", R"sql(
SELECT submitter, next_nonce
FROM submitter_nonce_cursor
WHERE submitter = ANY ($1::text[])
)sql"};

// A command that is done already was executed by somebody who knew more.
inline constexpr pg::Statement unexpected_commands{"write_compare_commands", R"sql(
SELECT i.submitter
FROM unnest($1::bigint[], $2::text[]) AS i (sequence, submitter)
LEFT JOIN submitter_command c ON c.sequence = i.sequence AND c.submitter = i.submitter AND NOT c.done
WHERE c.sequence IS NULL
)sql"};

// Touches no indexed column but `done`, which flips once: the frequent updates are HOT.
inline constexpr pg::Statement update_transactions{"write_transactions", R"sql(
UPDATE managed_tx t
SET state = i.state,
    sub_state = i.sub_state,
    abandonment = coalesce(i.abandonment, t.abandonment),
    nonce = coalesce(i.nonce, t.nonce),
    -- Of the mined attempt, else of the latest.
    tx_hash = CASE WHEN i.receipt_action = 1 THEN i.tx_hash
                   WHEN i.receipt_action = 2 THEN (SELECT a.tx_hash FROM tx_attempt a WHERE a.tx_id = t.tx_id
                                                   ORDER BY a.ordinal DESC LIMIT 1)
                   WHEN t.receipt IS NULL THEN coalesce(i.tx_hash, t.tx_hash)
                   ELSE t.tx_hash END,
    done = t.done OR i.done,
    confirmed_at = CASE WHEN i.confirmed THEN clock_timestamp() ELSE t.confirmed_at END,
    submit_attempts = t.submit_attempts + i.sends::int,
    first_submit_at = CASE WHEN i.sends > 0 THEN coalesce(t.first_submit_at, clock_timestamp())
                           ELSE t.first_submit_at END,
    last_submit_at = CASE WHEN i.sends > 0 THEN clock_timestamp() ELSE t.last_submit_at END,
    next_resubmit_at = CASE WHEN i.next_in IS NULL THEN t.next_resubmit_at
                            ELSE clock_timestamp() + i.next_in * interval '1 microsecond' END,
    last_receipt_check = CASE WHEN i.receipt_missing THEN clock_timestamp() ELSE t.last_receipt_check END,
    last_error = CASE WHEN i.error IS NULL THEN t.last_error ELSE nullif(i.error, '') END,
    receipt = CASE i.receipt_action WHEN 1 THEN i.receipt::jsonb WHEN 2 THEN NULL ELSE t.receipt END,
    receipt_block_number = CASE i.receipt_action WHEN 0 THEN t.receipt_block_number ELSE i.receipt_number END,
    receipt_block_hash = CASE i.receipt_action WHEN 0 THEN t.receipt_block_hash ELSE i.receipt_hash END,
    confirmations = coalesce(i.confirmations::jsonb, t.confirmations),
    next_event = t.next_event + i.events,
    fencing_token = i.token,
    updated_at = clock_timestamp()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::bool[], $8::bool[],
            $9::bigint[], $10::bigint[], $11::bool[], $12::text[], $13::bigint[], $14::text[], $15::bigint[],
            $16::bytea[], $17::text[], $18::bigint[], $19::bigint[])
    AS i (tx_id, state, sub_state, abandonment, nonce, tx_hash, done, confirmed, sends, next_in, receipt_missing, error,
          receipt_action, receipt, receipt_number, receipt_hash, confirmations, events, token)
WHERE t.tx_id = i.tx_id
)sql"};

// Law 2: before a byte of them is sent.
inline constexpr pg::Statement insert_attempts{"write_attempts", R"sql(
INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token)
SELECT i.tx_id,
       i.place + (SELECT coalesce(max(a.ordinal) + 1, 0) FROM tx_attempt a WHERE a.tx_id = i.tx_id),
       i.kind, i.nonce, i.tx_hash, i.raw, i.gas_params::jsonb, i.token
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[], $7::text[], $8::bigint[])
    AS i (tx_id, place, kind, nonce, tx_hash, raw, gas_params, token)
)sql"};

// Law 3: the primary key is the last line of defence against a nonce given twice.
inline constexpr pg::Statement assign_nonces{"write_nonces", R"sql(
INSERT INTO nonce_assignment (submitter, nonce, tx_id)
SELECT *
FROM unnest($1::text[], $2::bigint[], $3::uuid[])
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

// Numbered per transaction from the row's counter, which update_transactions then advances.
inline constexpr pg::Statement insert_events{"write_events", R"sql(
INSERT INTO tx_event (tx_id, sequence, kind, body, node, fencing_token)
SELECT i.tx_id, t.next_event + i.place, i.kind, i.body::jsonb, i.node, i.token
FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    WITH ORDINALITY AS i (tx_id, place, kind, body, node, token, ord)
JOIN managed_tx t ON t.tx_id = i.tx_id
ORDER BY i.ord
)sql"};

// A step like the last one is counted in its row; any other gets a row of its own. Events are never folded.
inline constexpr pg::Statement fold_steps{"write_fold", R"sql(
WITH step AS MATERIALIZED (
    SELECT i.*, last.number, coalesce(last.same, false) AS same
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
        AS i (tx_id, kind, body, node, token, times)
    LEFT JOIN LATERAL (
        SELECT e.number, e.sequence IS NULL AND e.kind = i.kind AND e.body = i.body::jsonb AS same
        FROM tx_event e
        WHERE e.tx_id = i.tx_id
        ORDER BY e.number DESC
        LIMIT 1
    ) last ON true
), folded AS (
    UPDATE tx_event e
    SET times = e.times + s.times::int, last_at = clock_timestamp(), node = s.node, fencing_token = s.token
    FROM step s
    WHERE s.same AND e.tx_id = s.tx_id AND e.number = s.number
)
INSERT INTO tx_event (tx_id, kind, body, node, fencing_token, times)
SELECT tx_id, kind, body::jsonb, node, token, times::int
FROM step
WHERE NOT same
)sql"};

inline constexpr pg::Statement insert_steps{"write_steps", R"sql(
INSERT INTO tx_event (tx_id, kind, body, node, fencing_token, times)
SELECT i.tx_id, i.kind, i.body::jsonb, i.node, i.token, i.times::int
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
    WITH ORDINALITY AS i (tx_id, kind, body, node, token, times, ord)
ORDER BY i.ord
)sql"};

// A write past half of its lease renews it for as long as it was made for.
inline constexpr pg::Statement renew_written{"write_renew", R"sql(
UPDATE submitter_lease
SET expires_at = clock_timestamp() + (expires_at - updated_at), updated_at = clock_timestamp()
WHERE submitter = ANY ($1::text[])
)sql"};

}  // namespace fencepost::store::statement
