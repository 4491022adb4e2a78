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
SELECT next_nonce, watch_from
FROM submitter_nonce_cursor
WHERE submitter = $1
)sql"};

constexpr Statement load_status{"load_status", R"sql(
SELECT status, reason
FROM submitter_status
WHERE submitter = $1
)sql"};

// By the ledger, not by state: settled ones are watched until they are finalized (failure 26).
constexpr Statement read_watched{"load_watched", R"sql(
SELECT t.tx_id, t.accept_sequence, t.state, t.sub_state, t.abandonment, n.nonce, t.receipt
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE c.submitter = $1
ORDER BY n.nonce
)sql"};

constexpr Statement load_attempts{"load_attempts", R"sql(
SELECT a.tx_id, a.kind, a.nonce, a.tx_hash, a.raw, a.gas_params
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN tx_attempt a ON a.tx_id = n.tx_id
WHERE c.submitter = $1
ORDER BY a.tx_id, a.ordinal
)sql"};

constexpr Statement read_claims{"load_claims", R"sql(
SELECT s.tx_id, s.kind, s.nonce, s.payload
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN tx_claimed_send s ON s.tx_id = n.tx_id
WHERE c.submitter = $1
ORDER BY s.tx_id, s.ordinal
)sql"};

constexpr Statement read_intents{"load_intents", R"sql(
SELECT t.tx_id, i.payload, t.created_at, t.first_submit_at, t.next_resubmit_at, clock_timestamp(),
       coalesce(t.last_error, '')
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE c.submitter = $1 AND NOT t.done
)sql"};

// The lowest unassigned ones, never "those after the last": one that was committed late must not be skipped (failure
// 35).
constexpr Statement read_queue{"load_queue", R"sql(
SELECT t.tx_id, t.accept_sequence, i.payload, t.created_at, clock_timestamp()
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE t.submitter = $1 AND NOT t.done AND t.accept_sequence >= $2 AND t.nonce IS NULL
ORDER BY t.accept_sequence
LIMIT $3
)sql"};

}  // namespace

Task<Result<LaneState, StoreError>> PostgresStore::load(SubmitterId submitter) {
    const auto name = Params().add(submitter.to_string());
    const auto rows = co_await run(std::vector<Query>{{&load_cursor, name},
                                                      {&load_status, name},
                                                      {&read_watched, name},
                                                      {&load_attempts, name},
                                                      {&read_intents, name},
                                                      {&read_claims, name}});
    if (!rows) co_return err(rows.error());

    LaneState state;
    if (const auto& cursor = rows->at(0); cursor.size() == 1) {
        state.next_nonce = nonce_at(cursor, 0, 0);
        state.watch_from = nonce_at(cursor, 0, 1);
    }
    if (const auto& status = rows->at(1); status.size() == 1) state.status = status_at(status, 0, 0);
    std::map<Uuid, std::vector<Attempt>> attempts;
    const auto& attempt_rows = rows->at(3);
    for (std::size_t row = 0; row < attempt_rows.size(); ++row) {
        attempts[attempt_rows.uuid(row, 0)].push_back(attempt_at(attempt_rows, row, 1));
    }
    std::map<Uuid, std::vector<ClaimedSend>> claims;
    const auto& claim_rows = rows->at(5);
    for (std::size_t row = 0; row < claim_rows.size(); ++row) {
        claims[claim_rows.uuid(row, 0)].push_back(
            decode_claimed_send(value_of<AttemptKind>(claim_rows.text(row, 1)).value(), nonce_at(claim_rows, row, 2),
                                claim_rows.text(row, 3)));
    }
    const auto& watched = rows->at(2);
    for (std::size_t row = 0; row < watched.size(); ++row) {
        const auto id = watched.uuid(row, 0);
        state.watched.push_back({.id = TxId(id),
                                 .submitter = submitter,
                                 .sequence = sequence_at(watched, row, 1),
                                 .position = position_at(watched, row, 2),
                                 .abandonment = value_of<Abandonment>(watched.text(row, 4)).value(),
                                 .nonce = nonce_at(watched, row, 5),
                                 .attempts = std::move(attempts[id]),
                                 .receipt = receipt_at(watched, row, 6),
                                 .claims = std::move(claims[id])});
    }
    const auto& intents = rows->at(4);
    for (std::size_t row = 0; row < intents.size(); ++row) {
        const TxId id(intents.uuid(row, 0));
        state.intents.emplace(id, decode_intent(intents.text(row, 1)));
        state.sendings.emplace(id, sending_of(intents.time(row, 2), time_at(intents, row, 3), time_at(intents, row, 4),
                                              intents.time(row, 5), intents.text(row, 6)));
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
