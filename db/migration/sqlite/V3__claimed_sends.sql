-- What a connector that holds the key is asked to sign and send, before it is asked (see PostgreSQL's).
CREATE TABLE tx_claimed_send (
    tx_id         BLOB    NOT NULL,
    ordinal       INTEGER NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind IN ('original', 'bump', 'filler')),
    nonce         INTEGER NOT NULL,
    payload       TEXT    NOT NULL,
    fencing_token INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (tx_id, ordinal)
) STRICT, WITHOUT ROWID;
