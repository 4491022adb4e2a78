-- An intent whose nonce somebody else used may be queued again, by an operator's choice, as a new transaction that
-- names the old one. The index decides that there is one at most, and leads from the old one to the new. The column
-- never changes, so the frequent updates of managed_tx stay HOT.
ALTER TABLE managed_tx ADD COLUMN requeued_from uuid;
CREATE UNIQUE INDEX managed_tx_requeued ON managed_tx (requeued_from) WHERE requeued_from IS NOT NULL;

CREATE OR REPLACE VIEW tx_view AS
SELECT t.tx_id, t.submitter, t.request_id, t.accept_sequence, i.payload, t.state, t.sub_state, t.abandonment, t.nonce,
       t.tx_hash, t.submit_attempts, t.first_submit_at, t.last_submit_at, t.next_resubmit_at, t.last_receipt_check,
       t.receipt, t.confirmed_at, t.last_error, t.fencing_token, t.created_at, t.updated_at,
       t.requeued_from, n.tx_id AS requeued_as
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id
LEFT JOIN managed_tx n ON n.requeued_from = t.tx_id;
