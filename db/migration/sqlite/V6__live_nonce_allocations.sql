-- The nonces of shared keys that are not used, and what is deleted of the used ones (see PostgreSQL's).
CREATE INDEX submitter_nonce_allocation_live ON submitter_nonce_allocation (submitter, nonce) WHERE status <> 'USED';

ALTER TABLE submitter_nonce_state ADD COLUMN retired_below INTEGER NOT NULL DEFAULT 0;

UPDATE submitter_nonce_state
SET retired_below = coalesce(
    (SELECT c.watch_from FROM submitter_nonce_cursor c WHERE c.submitter = submitter_nonce_state.submitter), 0);

DELETE FROM submitter_nonce_allocation
WHERE status = 'USED'
  AND nonce < (SELECT s.retired_below FROM submitter_nonce_state s
               WHERE s.submitter = submitter_nonce_allocation.submitter);
