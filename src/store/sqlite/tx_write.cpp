// Updates a transaction's row, attempts, receipt and events.
#include "store/sqlite/tx_write.hpp"

#include "base/assert.hpp"
#include "store/json_codec.hpp"
#include "store/lane_rules.hpp"
#include "store/sqlite/event_rows.hpp"
#include "store/sqlite/requeue_rows.hpp"

namespace fencepost::store::sqlite {
namespace {

/// The columns of the current row that the rules below need.
struct CurrentRow {
    Position position;
    std::optional<Nonce> nonce;
    bool has_receipt = false;
    EventSequence next_event;
};

// Empty also when the transaction belongs to another submitter: the fence does not cover it.
std::optional<CurrentRow> find_current_row(Database& database, const HeldFence& held, const TxId& tx) {
    Query row(database, R"sql(
SELECT state, sub_state, nonce, receipt IS NOT NULL, next_event
FROM managed_tx
WHERE tx_id = :tx AND submitter = :submitter
)sql",
              tx, held.submitter);
    if (!row.step()) return std::nullopt;
    return CurrentRow{{row.get<State>(0), row.get<SubState>(1)},
                      row.get<std::optional<Nonce>>(2),
                      row.get<bool>(3),
                      row.get<EventSequence>(4)};
}

// Law 3: a transaction has one nonce, a nonce one transaction. The ledger's primary key decides inside the insert.
bool assign_nonce(Database& database, const HeldFence& held, const TxId& tx, const CurrentRow& current_row,
                  Nonce nonce) {
    if (current_row.nonce) return false;
    const auto inserted = database.run(R"sql(
INSERT INTO nonce_assignment (submitter, nonce, tx_id)
VALUES (:submitter, :nonce, :tx)
ON CONFLICT DO NOTHING
)sql",
                                       held.submitter, nonce, tx);
    return inserted == 1;
}

void add_attempt(Database& database, const HeldFence& held, const TxId& tx, const Attempt& attempt) {
    database.run(R"sql(
INSERT INTO tx_attempt (tx_id, ordinal, kind, nonce, tx_hash, raw, gas_params, fencing_token, created_at)
SELECT :tx, coalesce(max(ordinal), 0) + 1, :kind, :nonce, :hash, :raw, :gas_params, :token, :now
FROM tx_attempt
WHERE tx_id = :tx
)sql",
                 tx, attempt.kind, attempt.nonce, attempt.hash, attempt.raw,
                 encode(GasParams{attempt.fees, attempt.gas_limit}), held.fence.token, held.now);
}

void add_claim(Database& database, const HeldFence& held, const TxId& tx, const ClaimedSend& claim) {
    database.run(R"sql(
INSERT INTO tx_claimed_send (tx_id, ordinal, kind, nonce, payload, fencing_token, created_at)
SELECT :tx, coalesce(max(ordinal), 0) + 1, :kind, :nonce, :payload, :token, :now
FROM tx_claimed_send
WHERE tx_id = :tx
)sql",
                 tx, claim.kind, claim.nonce, encode(claim), held.fence.token, held.now);
}

std::optional<TxHash> latest_attempt(Database& database, const TxId& tx) {
    return find_value<TxHash>(database,
                              "SELECT tx_hash FROM tx_attempt WHERE tx_id = :tx ORDER BY ordinal DESC LIMIT 1", tx);
}

// The visible hash: the mined attempt's, else the latest's. Empty: unchanged.
std::optional<TxHash> new_hash(Database& database, const TxUpdate& update, const CurrentRow& current_row) {
    if (const auto* receipt = std::get_if<Receipt>(&update.receipt)) return receipt->hash;
    const bool rolled_back = std::holds_alternative<RollBackReceipt>(update.receipt);
    if (rolled_back || !current_row.has_receipt) return latest_attempt(database, update.tx);
    return std::nullopt;
}

// Missing values stay unchanged: most columns bind a value, or NULL for "no change".
void update_row(Database& database, const HeldFence& held, const TxUpdate& update, const CurrentRow& current_row) {
    std::optional<UnixTime> next_action;
    if (update.next_action_in)
        next_action = held.now + std::chrono::floor<std::chrono::microseconds>(*update.next_action_in);
    std::optional<std::string> progress;
    if (update.progress) progress = encode(*update.progress);
    const auto progress_at = progress ? std::optional(held.now) : std::nullopt;
    std::optional<std::string> confirmations;
    if (update.confirmations) confirmations = encode(*update.confirmations);
    std::optional<std::string> error;
    if (update.error) error = storable(*update.error);
    const auto sent_at = update.sends > 0 ? std::optional(held.now) : std::nullopt;
    const auto checked_at = update.receipt_missing ? std::optional(held.now) : std::nullopt;
    const auto confirmed_at = update.to.state == State::confirmed ? std::optional(held.now) : std::nullopt;
    database.run(R"sql(
UPDATE managed_tx
SET state = :state,
    sub_state = :sub_state,
    done = :done,
    abandonment = coalesce(:abandonment, abandonment),
    nonce = coalesce(:nonce, nonce),
    tx_hash = coalesce(:hash, tx_hash),
    submit_attempts = submit_attempts + :sends,
    first_submit_at = coalesce(first_submit_at, :sent_at),
    last_submit_at = coalesce(:sent_at, last_submit_at),
    next_resubmit_at = coalesce(:next_action, next_resubmit_at),
    progress = coalesce(:progress, progress),
    progress_at = coalesce(:progress_at, progress_at),
    last_receipt_check = coalesce(:checked_at, last_receipt_check),
    confirmations = coalesce(:confirmations, confirmations),
    confirmed_at = coalesce(confirmed_at, :confirmed_at),
    last_error = nullif(coalesce(:error, last_error), ''),
    next_event = next_event + :events,
    fencing_token = :token,
    updated_at = :now
WHERE tx_id = :tx
)sql",
                 update.to.state, update.to.sub, is_final(update.to.state), update.abandonment, update.nonce,
                 new_hash(database, update, current_row), update.sends, sent_at, next_action, progress, progress_at,
                 checked_at, confirmations, confirmed_at, error, update.events.size(), held.fence.token, held.now,
                 update.tx);
}

void put_receipt(Database& database, const TxId& tx, const std::optional<Receipt>& receipt) {
    std::optional<std::string> json;
    std::optional<BlockNumber> number;
    std::optional<BlockHash> hash;
    if (receipt) {
        json = encode(*receipt);
        number = receipt->block_number;
        hash = receipt->block_hash;
    }
    database.run(R"sql(
UPDATE managed_tx
SET receipt = :receipt, receipt_block_number = :number, receipt_block_hash = :hash
WHERE tx_id = :tx
)sql",
                 json, number, hash, tx);
}

// In the same transaction as the change that they report, so one exists exactly when the other does.
void append_events(Database& database, const HeldFence& held, const TxUpdate& update, const CurrentRow& current_row) {
    auto sequence = current_row.next_event;
    for (const auto& body : update.events) {
        append_event(database, {update.tx, sequence, body}, held.fence);
        sequence = sequence.next();
    }
    for (const auto& step : update.history)
        append_step(database, update.tx, step, held.fence);
}

}  // namespace

bool write_transaction(Database& database, const HeldFence& held, const TxUpdate& update) {
    assert_valid(update);
    const auto current_row = find_current_row(database, held, update.tx);
    if (!current_row || current_row->position != update.expected) return false;
    if (update.nonce && !assign_nonce(database, held, update.tx, *current_row, *update.nonce)) return false;

    const auto nonce = update.nonce ? update.nonce : current_row->nonce;
    for (const auto& attempt : update.attempts) {
        FP_ASSERT(attempt.nonce == nonce, "an attempt has another nonce than its transaction");
        add_attempt(database, held, update.tx, attempt);
    }
    for (const auto& claim : update.claims) {
        FP_ASSERT(claim.nonce == nonce, "a claim has another nonce than its transaction");
        add_claim(database, held, update.tx, claim);
    }
    update_row(database, held, update, *current_row);
    if (const auto* receipt = std::get_if<Receipt>(&update.receipt)) put_receipt(database, update.tx, *receipt);
    if (std::holds_alternative<RollBackReceipt>(update.receipt)) put_receipt(database, update.tx, std::nullopt);
    append_events(database, held, update, *current_row);
    return !update.requeue || insert_requeued(database, held, update.tx, *update.requeue);
}

}  // namespace fencepost::store::sqlite
