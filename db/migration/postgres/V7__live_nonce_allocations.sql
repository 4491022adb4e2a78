-- Reservations of a shared key look for the smallest recyclable nonce, and for overdue ones, while the submitter's
-- lease row is locked. There may be millions of used nonces and few others: the index holds the others only.
--
-- Its predicate contains a column that updates change, which managed_tx must not have. Here it is worth it. A nonce is
-- reserved (an insert), put in flight (the status stays: the update is HOT), used (not HOT, once in its life: it leaves
-- this index and gets a new entry in the primary key's), and deleted. Strict mode writes none of these rows.
CREATE INDEX submitter_nonce_allocation_live ON submitter_nonce_allocation (submitter, nonce) WHERE status <> 'USED';

-- Used rows below were deleted: what is below and has no row is done with, and never comes back.
ALTER TABLE submitter_nonce_state ADD COLUMN retired_below bigint NOT NULL DEFAULT 0;

-- What is there of old. Below its lane's low-water mark every nonce is finalized. Only here all at once: a reservation
-- deletes few at a time. (A submitter without a lane keeps its rows: nobody has said what is finalized.)
LOCK TABLE submitter_nonce_allocation, submitter_nonce_state IN SHARE ROW EXCLUSIVE MODE;
UPDATE submitter_nonce_state s
SET retired_below = c.watch_from
FROM submitter_nonce_cursor c
WHERE c.submitter = s.submitter;

DELETE FROM submitter_nonce_allocation a
USING submitter_nonce_state s
WHERE s.submitter = a.submitter AND a.nonce < s.retired_below AND a.status = 'USED';
