-- Where a submitter's settled transactions are that are not finalized: what a lane that opens has to watch (failure
-- 26), and no more of it than a lane keeps in memory. There may be hundreds of thousands of them, and to find their
-- blocks in managed_tx took half a second of a takeover, and 800 MB that had to be read first (failure 44).
--
-- A write that settles transactions adds one row for each block. One that a reorg removes gets a row without a
-- block: who reads asks managed_tx which transactions are still in the block that it left. Deleted when the low-water
-- mark passes. Insert-only but for `last_nonce`: the updates are HOT.
CREATE TABLE settled_block (
    submitter     text COLLATE "C" NOT NULL,
    first_nonce   bigint      NOT NULL,
    last_nonce    bigint      NOT NULL,
    block_number  bigint,               -- none: a reorg removed this settled transaction, which is in no block now
    block_hash    bytea       NOT NULL,  -- empty: the same
    fencing_token bigint      NOT NULL,
    PRIMARY KEY (submitter, first_nonce, block_hash)
);

-- Nobody settles anything between this and the first write that knows of the table, if older nodes are stopped.
LOCK TABLE managed_tx IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT n.submitter, min(n.nonce), max(n.nonce), t.receipt_block_number, t.receipt_block_hash,
       coalesce(max(t.fencing_token), 0)
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE t.done AND t.sub_state <> 'FORKED' AND t.receipt_block_hash IS NOT NULL
GROUP BY n.submitter, t.receipt_block_number, t.receipt_block_hash;
INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT n.submitter, n.nonce, n.nonce, NULL, '', coalesce(t.fencing_token, 0)
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE t.done AND t.sub_state = 'FORKED';
