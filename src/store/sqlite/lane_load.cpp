// What a lane reads on SQLite when it opens and later. Each read is one snapshot, taken after the lease.
#include <algorithm>
#include <iterator>

#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/sqlite/engine/sqlite_engine.hpp"
#include "store/sqlite/settled_blocks.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/tx_rows.hpp"

namespace fencepost::store {
namespace {

using namespace sqlite;

std::vector<TxId> unsettled(Database& database, const SubmitterId& submitter) {
    std::vector<TxId> ids;
    Query row(database, R"sql(
SELECT tx_id
FROM managed_tx
WHERE submitter = :submitter AND NOT done AND nonce IS NOT NULL
ORDER BY nonce
)sql",
              submitter);
    while (row.step())
        ids.push_back(row.get<TxId>(0));
    return ids;
}

std::vector<TxId> in_block(Database& database, const SubmitterId& submitter, const SettledBlock& block) {
    std::vector<TxId> ids;
    Query row(database, R"sql(
SELECT t.tx_id
FROM nonce_assignment n
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE n.submitter = :submitter AND n.nonce BETWEEN :first AND :last AND t.done AND t.receipt_block_hash = :hash
ORDER BY n.nonce
)sql",
              submitter, block.first, block.last, block.hash);
    while (row.step())
        ids.push_back(row.get<TxId>(0));
    return ids;
}

void add_attempts(Database& database, Transaction& transaction) {
    Query row(database, R"sql(
SELECT kind, nonce, tx_hash, raw, gas_params
FROM tx_attempt
WHERE tx_id = :id
ORDER BY ordinal
)sql",
              transaction.id);
    while (row.step())
        transaction.attempts.push_back(read_attempt(row, 0));
}

void add_claims(Database& database, Transaction& transaction) {
    Query row(database, R"sql(
SELECT kind, nonce, payload
FROM tx_claimed_send
WHERE tx_id = :id
ORDER BY ordinal
)sql",
              transaction.id);
    while (row.step()) {
        transaction.claims.push_back(decode_claimed_send(row.get<AttemptKind>(0), row.get<Nonce>(1), row.text(2)));
    }
}

void load_transaction(Database& database, const SubmitterId& submitter, TxId id, LaneState& state) {
    Query row(database, R"sql(
SELECT t.accept_sequence, t.state, t.sub_state, t.abandonment, t.nonce, t.receipt, i.payload, t.created_at,
       t.first_submit_at, coalesce(t.last_error, ''), t.progress, t.progress_at
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
WHERE t.tx_id = :id
)sql",
              id);
    if (!row.step()) return;
    auto& transaction = state.watched.emplace_back(Transaction{.id = id,
                                                               .submitter = submitter,
                                                               .sequence = row.get<AcceptSequence>(0),
                                                               .position = {row.get<State>(1), row.get<SubState>(2)},
                                                               .abandonment = row.get<Abandonment>(3),
                                                               .nonce = row.get<Nonce>(4),
                                                               .attempts = {},
                                                               .receipt = read_receipt(row, 5)});
    state.intents.emplace(id, decode_intent(row.text(6)));
    state.sendings.emplace(id, sending_of(row.get<UnixTime>(7), row.get<std::optional<UnixTime>>(8), database.now(),
                                          row.get<std::string>(9), row.get<std::optional<std::string>>(10),
                                          row.get<std::optional<UnixTime>>(11)));
    add_attempts(database, transaction);
    add_claims(database, transaction);
}

void load_transactions(Database& database, const SubmitterId& submitter, const std::vector<TxId>& ids,
                       LaneState& state) {
    for (const auto id : ids)
        load_transaction(database, submitter, id, state);
    std::ranges::sort(state.watched, {}, [](const Transaction& transaction) { return *transaction.nonce; });
}

LaneState load_lane(Database& database, const SubmitterId& submitter) {
    LaneState state{.status = find_status(database, submitter)};
    if (const auto cursor = find_cursor(database, submitter)) {
        state.next_nonce = cursor->next_nonce;
        state.watch_from = cursor->watch_from;
        state.window = cursor->window;
    }
    auto ids = unsettled(database, submitter);
    // Settled transactions are watched by their blocks until they are finalized (failure 26). One whose block was
    // removed by a reorg is loaded individually.
    state.settled = settled_blocks(database, submitter, state.watch_from);
    std::ranges::move(removed_settled(database, submitter, state.watch_from), std::back_inserter(ids));
    load_transactions(database, submitter, ids, state);
    return state;
}

LaneState load_settled_block(Database& database, const SubmitterId& submitter, const SettledBlock& block) {
    LaneState state;
    load_transactions(database, submitter, in_block(database, submitter, block), state);
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

Task<Result<LaneState, StoreError>> SqliteStore::load_block(SubmitterId submitter, SettledBlock block) {
    return engine_->read([submitter = std::move(submitter), block](Database& database) {
        return load_settled_block(database, submitter, block);
    });
}

Task<Result<std::vector<QueuedIntent>, StoreError>> SqliteStore::head_of_queue(SubmitterId submitter,
                                                                               AcceptSequence from, std::size_t limit) {
    return engine_->read([submitter = std::move(submitter), from, limit](Database& database) {
        return read_queue(database, submitter, from, limit);
    });
}

}  // namespace fencepost::store
