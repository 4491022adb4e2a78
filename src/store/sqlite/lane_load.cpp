// What a lane reads when it opens and as it goes on, on SQLite. Each is one snapshot, taken after the lease was.
#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/sqlite/sqlite_engine.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/tx_rows.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

std::vector<Transaction> watched_transactions(Database& database, const SubmitterId& submitter, Nonce from) {
    std::vector<Transaction> watched;
    Query row(database, R"sql(
SELECT t.tx_id, t.accept_sequence, t.state, t.sub_state, t.abandonment, t.nonce, t.receipt
FROM nonce_assignment n
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE n.submitter = :submitter AND n.nonce >= :from
ORDER BY n.nonce
)sql",
              submitter, from);
    while (row.step()) {
        watched.push_back({.id = row.get<TxId>(0),
                           .submitter = submitter,
                           .sequence = row.get<AcceptSequence>(1),
                           .position = {row.get<State>(2), row.get<SubState>(3)},
                           .abandonment = row.get<Abandonment>(4),
                           .nonce = row.get<Nonce>(5),
                           .attempts = {},
                           .receipt = read_receipt(row, 6)});
    }
    return watched;
}

// Both lists are in the order of nonces, so one walk brings them together.
void add_attempts(Database& database, const SubmitterId& submitter, Nonce from, std::vector<Transaction>& watched) {
    Query row(database, R"sql(
SELECT a.tx_id, a.kind, a.nonce, a.tx_hash, a.raw, a.gas_params
FROM nonce_assignment n
JOIN tx_attempt a ON a.tx_id = n.tx_id
WHERE n.submitter = :submitter AND n.nonce >= :from
ORDER BY n.nonce, a.ordinal
)sql",
              submitter, from);
    auto transaction = watched.begin();
    while (row.step()) {
        const auto id = row.get<TxId>(0);
        while (transaction->id != id)
            ++transaction;
        transaction->attempts.push_back(read_attempt(row, 1));
    }
}

void add_claims(Database& database, const SubmitterId& submitter, Nonce from, std::vector<Transaction>& watched) {
    Query row(database, R"sql(
SELECT c.tx_id, c.kind, c.nonce, c.payload
FROM nonce_assignment n
JOIN tx_claimed_send c ON c.tx_id = n.tx_id
WHERE n.submitter = :submitter AND n.nonce >= :from
ORDER BY n.nonce, c.ordinal
)sql",
              submitter, from);
    auto transaction = watched.begin();
    while (row.step()) {
        const auto id = row.get<TxId>(0);
        while (transaction->id != id)
            ++transaction;
        transaction->claims.push_back(decode_claimed_send(row.get<AttemptKind>(1), row.get<Nonce>(2), row.text(3)));
    }
}

void add_unsettled(Database& database, const SubmitterId& submitter, LaneState& state) {
    const auto now = database.now();
    Query row(database, R"sql(
SELECT t.tx_id, i.payload, t.created_at, t.first_submit_at, t.next_resubmit_at, coalesce(t.last_error, '')
FROM nonce_assignment n
JOIN managed_tx t ON t.tx_id = n.tx_id
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE n.submitter = :submitter AND n.nonce >= :from AND NOT t.done
)sql",
              submitter, state.watch_from);
    while (row.step()) {
        const auto id = row.get<TxId>(0);
        state.intents.emplace(id, decode_intent(row.text(1)));
        state.sendings.emplace(id, sending_of(row.get<UnixTime>(2), row.get<std::optional<UnixTime>>(3),
                                              row.get<std::optional<UnixTime>>(4), now, row.get<std::string>(5)));
    }
}

LaneState load_lane(Database& database, const SubmitterId& submitter) {
    LaneState state{.status = find_status(database, submitter)};
    if (const auto cursor = find_cursor(database, submitter)) {
        state.next_nonce = cursor->next_nonce;
        state.watch_from = cursor->watch_from;
    }
    state.watched = watched_transactions(database, submitter, state.watch_from);
    add_attempts(database, submitter, state.watch_from, state.watched);
    add_claims(database, submitter, state.watch_from, state.watched);
    add_unsettled(database, submitter, state);
    return state;
}

std::vector<QueuedIntent> read_queue(Database& database, const SubmitterId& submitter, AcceptSequence from,
                                     std::size_t limit) {
    std::vector<QueuedIntent> queue;
    const auto now = database.now();
    Query row(database, R"sql(
SELECT t.tx_id, t.accept_sequence, i.payload, t.created_at
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE t.submitter = :submitter AND NOT t.done AND t.accept_sequence >= :from AND t.nonce IS NULL
ORDER BY t.accept_sequence
LIMIT :limit
)sql",
              submitter, bound(from), bound(limit));
    while (row.step()) {
        queue.push_back(
            {row.get<TxId>(0), row.get<AcceptSequence>(1), decode_intent(row.text(2)), now - row.get<UnixTime>(3)});
    }
    return queue;
}

}  // namespace

Task<Result<LaneState, StoreError>> SqliteStore::load(SubmitterId submitter) {
    return engine_->read(
        [submitter = std::move(submitter)](Database& database) { return load_lane(database, submitter); });
}

Task<Result<std::vector<QueuedIntent>, StoreError>> SqliteStore::head_of_queue(SubmitterId submitter,
                                                                               AcceptSequence from, std::size_t limit) {
    return engine_->read([submitter = std::move(submitter), from, limit](Database& database) {
        return read_queue(database, submitter, from, limit);
    });
}

}  // namespace fencepost::store
