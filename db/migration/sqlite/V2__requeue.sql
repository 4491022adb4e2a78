-- An intent whose nonce somebody else used may be queued again, by an operator's choice, as a new transaction that
-- names the old one. The index decides that there is one at most, and leads from the old one to the new.
ALTER TABLE managed_tx ADD COLUMN requeued_from BLOB;
CREATE UNIQUE INDEX managed_tx_requeued ON managed_tx (requeued_from) WHERE requeued_from IS NOT NULL;
