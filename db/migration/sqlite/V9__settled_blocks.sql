-- Where a submitter's settled transactions are that are not finalized (see PostgreSQL's).
CREATE TABLE settled_block (
    submitter     TEXT    NOT NULL,
    first_nonce   INTEGER NOT NULL,
    last_nonce    INTEGER NOT NULL,
    block_number  INTEGER,
    block_hash    BLOB    NOT NULL,
    fencing_token INTEGER NOT NULL,
    PRIMARY KEY (submitter, first_nonce, block_hash)
) STRICT, WITHOUT ROWID;

INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT n.submitter, min(n.nonce), max(n.nonce), t.receipt_block_number, t.receipt_block_hash,
       coalesce(max(t.fencing_token), 0)
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE t.done AND t.sub_state <> 'FORKED' AND t.receipt_block_hash IS NOT NULL
GROUP BY n.submitter, t.receipt_block_number, t.receipt_block_hash;
INSERT INTO settled_block (submitter, first_nonce, last_nonce, block_number, block_hash, fencing_token)
SELECT n.submitter, n.nonce, n.nonce, NULL, x'', coalesce(t.fencing_token, 0)
FROM submitter_nonce_cursor c
JOIN nonce_assignment n ON n.submitter = c.submitter AND n.nonce >= c.watch_from
JOIN managed_tx t ON t.tx_id = n.tx_id
WHERE t.done AND t.sub_state = 'FORKED';
