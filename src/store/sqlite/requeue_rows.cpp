// Inserts the requeued transaction.
#include "store/sqlite/requeue_rows.hpp"

#include "domain/tx/requeue.hpp"
#include "store/sqlite/event_rows.hpp"

namespace fencepost::store::sqlite {

bool insert_requeued(Database& database, const HeldFence& held, const TxId& from, const std::string& why) {
    const auto id = requeued_id(from);
    // The unique indexes allow at most one requeue. The submitter's status does not matter: this intent was accepted
    // earlier.
    const auto inserted = database.run(R"sql(
INSERT INTO managed_tx (tx_id, submitter, request_id, fingerprint, requeued_from, next_event, fencing_token, created_at,
                        updated_at)
SELECT :tx, submitter, :request, fingerprint, tx_id, 2, :token, :now, :now
FROM managed_tx
WHERE tx_id = :from AND submitter = :submitter
ON CONFLICT DO NOTHING
)sql",
                                       id, requeued_request(from), held.fence.token, held.now, from, held.submitter);
    if (inserted != 1) return false;
    database.run("INSERT INTO tx_intent (tx_id, payload) SELECT :tx, payload FROM tx_intent WHERE tx_id = :from", id,
                 from);
    append_event(database, {id, EventSequence(1), TxAccepted{held.submitter, from}}, held.fence);
    append_step(database, id, {HistoryKind::requeued, why}, held.fence);
    return true;
}

}  // namespace fencepost::store::sqlite
