// What a lane reads from PostgreSQL after it was opened.
#include <map>

#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/row_reading.hpp"

namespace fencepost::store {
namespace {

using pg::Params;
using pg::Query;
using pg::Statement;

constexpr Statement load_cursor{"load_cursor", R"sql(
SELECT next_nonce, watch_from, window_size, window_limit
FROM submitter_nonce_cursor
WHERE submitter = $1
)sql"};

constexpr Statement load_status{"load_status", R"sql(
SELECT status, reason
FROM submitter_status
WHERE submitter = $1
)sql"};

constexpr Statement read_unsettled{"load_unsettled", R"sql(
SELECT tx_id
FROM managed_tx
WHERE submitter = $1 AND NOT done AND nonce IS NOT NULL
)sql"};

// Settled transactions are watched until they are finalized (failure 26). There may be hundreds of thousands, so only
// their blocks are read, and from settled_block instead of their rows. The exception are blocks that a settled
// transaction has left, because nonces must ascend with blocks: such transactions are few, and each has a row without a
// block.
constexpr Statement read_settled{"load_settled", R"sql(
WITH watched AS MATERIALIZED (
    SELECT greatest(b.first_nonce, c.watch_from) AS first_nonce, b.last_nonce, b.block_number, b.block_hash
    FROM submitter_nonce_cursor c
    JOIN settled_block b ON b.submitter = c.submitter AND b.last_nonce >= c.watch_from
    WHERE c.submitter = $1
), removed AS MATERIALIZED (
    SELECT first_nonce AS nonce FROM watched WHERE block_number IS NULL
), left_by_some AS MATERIALIZED (
    SELECT w.*
    FROM watched w
    WHERE w.block_number IS NOT NULL
      AND EXISTS (SELECT FROM removed r WHERE r.nonce BETWEEN w.first_nonce AND w.last_nonce)
), block AS (
    SELECT w.block_number, w.block_hash, w.first_nonce, w.last_nonce
    FROM watched w
    WHERE w.block_number IS NOT NULL
      AND NOT EXISTS (SELECT FROM removed r WHERE r.nonce BETWEEN w.first_nonce AND w.last_nonce)
    UNION ALL
    SELECT l.block_number, l.block_hash, still.nonce, still.nonce
    FROM left_by_some l
    -- OFFSET 0 keeps the lookup per block, whatever the planner estimates; otherwise it scans all settled rows first.
    CROSS JOIN LATERAL (
        SELECT n.nonce
        FROM nonce_assignment n
        JOIN managed_tx t ON t.tx_id = n.tx_id
        WHERE n.submitter = $1 AND n.nonce BETWEEN l.first_nonce AND l.last_nonce
          AND t.done AND t.sub_state <> 'FORKED' AND t.receipt_block_hash = l.block_hash
        OFFSET 0
    ) still
)
SELECT block_number, block_hash, min(first_nonce), max(last_nonce)
FROM block
GROUP BY block_number, block_hash
ORDER BY block_number
)sql"};

// Settled transactions removed by a reorg are loaded individually until they are in a block again.
constexpr Statement read_removed{"load_removed", R"sql(
SELECT t.tx_id
FROM submitter_nonce_cursor c
JOIN settled_block b ON b.submitter = c.submitter AND b.first_nonce >= c.watch_from
JOIN nonce_assignment n ON n.submitter = b.submitter AND n.nonce = b.first_nonce
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE c.submitter = $1 AND b.block_number IS NULL AND t.done AND t.sub_state = 'FORKED'
)sql"};

constexpr Statement read_block{"load_block", R"sql(
SELECT t.tx_id
FROM nonce_assignment n
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE n.submitter = $1 AND n.nonce BETWEEN $2 AND $3 AND t.done AND t.receipt_block_hash = $4
)sql"};

constexpr Statement load_rows{"load_transactions", R"sql(
SELECT t.tx_id, t.accept_sequence, t.state, t.sub_state, t.abandonment, t.nonce, t.receipt, i.payload, t.created_at,
       t.first_submit_at, clock_timestamp(), coalesce(t.last_error, ''), t.progress, t.progress_at
FROM unnest($1::uuid[]) AS wanted (tx_id)
JOIN managed_tx t ON t.tx_id = wanted.tx_id
JOIN tx_intent i ON i.tx_id = wanted.tx_id
ORDER BY t.nonce
)sql"};

constexpr Statement load_attempts{"load_attempts", R"sql(
SELECT a.tx_id, a.kind, a.nonce, a.tx_hash, a.raw, a.gas_params
FROM unnest($1::uuid[]) AS wanted (tx_id)
JOIN tx_attempt a ON a.tx_id = wanted.tx_id
ORDER BY a.tx_id, a.ordinal
)sql"};

constexpr Statement read_claims{"load_claims", R"sql(
SELECT s.tx_id, s.kind, s.nonce, s.payload
FROM unnest($1::uuid[]) AS wanted (tx_id)
JOIN tx_claimed_send s ON s.tx_id = wanted.tx_id
ORDER BY s.tx_id, s.ordinal
)sql"};

// The lowest unassigned rows, never "those after the last one": a row that commits late must not be skipped (failure
// 35).
constexpr Statement read_queue{"load_queue", R"sql(
SELECT t.tx_id, t.accept_sequence, i.payload, t.created_at, clock_timestamp()
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE t.submitter = $1 AND NOT t.done AND t.accept_sequence >= $2 AND t.nonce IS NULL
ORDER BY t.accept_sequence
LIMIT $3
)sql"};

std::vector<std::optional<Uuid>> ids_of(const pg::Rows& rows) {
    return each_row(rows, [&](std::size_t row) { return std::optional(rows.uuid(row, 0)); });
}

std::map<Uuid, std::vector<Attempt>> attempts_by_id(const pg::Rows& rows) {
    std::map<Uuid, std::vector<Attempt>> attempts;
    for (std::size_t row = 0; row < rows.size(); ++row)
        attempts[rows.uuid(row, 0)].push_back(attempt_at(rows, row, 1));
    return attempts;
}

std::map<Uuid, std::vector<ClaimedSend>> claims_by_id(const pg::Rows& rows) {
    std::map<Uuid, std::vector<ClaimedSend>> claims;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        claims[rows.uuid(row, 0)].push_back(decode_claimed_send(value_of<AttemptKind>(rows.text(row, 1)).value(),
                                                                nonce_at(rows, row, 2), rows.text(row, 3)));
    }
    return claims;
}

}  // namespace

// Read in two steps, yet one consistent state: only the lane that reads it may write it.
Task<Result<LaneState, StoreError>> PostgresStore::load(SubmitterId submitter) {
    const auto name = Params().add(submitter.to_string());
    const auto rows = co_await run(std::vector<Query>{{&load_cursor, name},
                                                      {&load_status, name},
                                                      {&read_unsettled, name},
                                                      {&read_settled, name},
                                                      {&read_removed, name}});
    if (!rows) co_return err(rows.error());
    LaneState state;
    if (const auto& cursor = rows->at(0); cursor.size() == 1) {
        state.next_nonce = nonce_at(cursor, 0, 0);
        state.watch_from = nonce_at(cursor, 0, 1);
        state.window = window_at(cursor, 0, 2);
    }
    if (const auto& status = rows->at(1); status.size() == 1) state.status = status_at(status, 0, 0);
    auto wanted = ids_of(rows->at(2));
    for (const auto& id : ids_of(rows->at(4)))
        wanted.push_back(id);
    const auto& settled = rows->at(3);
    for (std::size_t row = 0; row < settled.size(); ++row) {
        state.settled.push_back({.number = BlockNumber(unsigned_at(settled, row, 0)),
                                 .hash = fixed_at<BlockHash>(settled, row, 1),
                                 .first = nonce_at(settled, row, 2),
                                 .last = nonce_at(settled, row, 3)});
    }
    co_return co_await load_transactions(std::move(submitter), std::move(wanted), std::move(state));
}

Task<Result<LaneState, StoreError>> PostgresStore::load_block(SubmitterId submitter, SettledBlock block) {
    const auto rows = co_await run(Query{&read_block, Params()
                                                          .add(submitter.to_string())
                                                          .add(static_cast<std::int64_t>(block.first.value()))
                                                          .add(static_cast<std::int64_t>(block.last.value()))
                                                          .add(block.hash.view())});
    if (!rows) co_return err(rows.error());
    co_return co_await load_transactions(std::move(submitter), ids_of(*rows), LaneState{});
}

Task<Result<LaneState, StoreError>> PostgresStore::load_transactions(SubmitterId submitter,
                                                                     std::vector<std::optional<Uuid>> wanted,
                                                                     LaneState state) {
    if (wanted.empty()) co_return state;
    const auto ids = Params().add(wanted);
    const auto rows = co_await run(std::vector<Query>{{&load_rows, ids}, {&load_attempts, ids}, {&read_claims, ids}});
    if (!rows) co_return err(rows.error());
    auto attempts = attempts_by_id(rows->at(1));
    auto claims = claims_by_id(rows->at(2));
    const auto& found = rows->at(0);
    for (std::size_t row = 0; row < found.size(); ++row) {
        const TxId id(found.uuid(row, 0));
        state.watched.push_back({.id = id,
                                 .submitter = submitter,
                                 .sequence = sequence_at(found, row, 1),
                                 .position = position_at(found, row, 2),
                                 .abandonment = value_of<Abandonment>(found.text(row, 4)).value(),
                                 .nonce = nonce_at(found, row, 5),
                                 .attempts = std::move(attempts[id.value()]),
                                 .receipt = receipt_at(found, row, 6),
                                 .claims = std::move(claims[id.value()])});
        state.intents.emplace(id, decode_intent(found.text(row, 7)));
        state.sendings.emplace(
            id, sending_of(found.time(row, 8), time_at(found, row, 9), found.time(row, 10), found.text(row, 11),
                           text_or_null_at(found, row, 12), time_at(found, row, 13)));
    }
    co_return state;
}

Task<Result<std::vector<QueuedIntent>, StoreError>> PostgresStore::head_of_queue(SubmitterId submitter,
                                                                                 AcceptSequence from,
                                                                                 std::size_t limit) {
    const auto rows = co_await run(Query{&read_queue, Params()
                                                          .add(submitter.to_string())
                                                          .add(static_cast<std::int64_t>(from.value()))
                                                          .add(static_cast<std::int64_t>(limit))});
    if (!rows) co_return err(rows.error());
    co_return each_row(*rows, [&](std::size_t row) {
        return QueuedIntent{TxId(rows->uuid(row, 0)), sequence_at(*rows, row, 1), decode_intent(rows->text(row, 2)),
                            rows->time(row, 4) - rows->time(row, 3)};
    });
}

}  // namespace fencepost::store
