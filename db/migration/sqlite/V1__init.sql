-- The same tables as PostgreSQL's (see there for what each is for), for one node. Times are microseconds since 1970 by
-- fencepost_now(), a function that the store registers, so that virtual time reaches into SQL; a released lease has
-- expired since the lowest of them. What belongs to a submitter is written only under its fence
-- (docs/critical-writes.md): in a transaction that found itself the owner of its lease row. SQLite has one writer.

CREATE TABLE submitter_lease (
    submitter     TEXT    NOT NULL PRIMARY KEY,
    owner_node    TEXT    NOT NULL,
    fencing_token INTEGER NOT NULL,
    acquired_at   INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submitter_status (
    submitter     TEXT    NOT NULL PRIMARY KEY,
    status        TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'PROTECT')),
    reason        TEXT    NOT NULL,
    fencing_token INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submitter_nonce_cursor (
    submitter     TEXT    NOT NULL PRIMARY KEY,
    next_nonce    INTEGER NOT NULL,
    watch_from    INTEGER NOT NULL,
    fencing_token INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- accept_sequence is the row id: the order of acceptance, never used again (AUTOINCREMENT).
CREATE TABLE managed_tx (
    accept_sequence      INTEGER PRIMARY KEY AUTOINCREMENT,
    tx_id                BLOB    NOT NULL UNIQUE,
    submitter            TEXT    NOT NULL,
    request_id           TEXT,
    fingerprint          BLOB    NOT NULL,
    state                TEXT    NOT NULL DEFAULT 'QUEUED',
    sub_state            TEXT    NOT NULL DEFAULT '',
    abandonment          TEXT    NOT NULL DEFAULT '',
    nonce                INTEGER,
    tx_hash              BLOB,
    done                 INTEGER NOT NULL DEFAULT 0,
    submit_attempts      INTEGER NOT NULL DEFAULT 0,
    first_submit_at      INTEGER,
    last_submit_at       INTEGER,
    next_resubmit_at     INTEGER,
    last_receipt_check   INTEGER,
    last_error           TEXT,
    receipt              TEXT,
    receipt_block_number INTEGER,
    receipt_block_hash   BLOB,
    confirmations        TEXT,
    confirmed_at         INTEGER,
    next_event           INTEGER NOT NULL DEFAULT 1,
    fencing_token        INTEGER,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX managed_tx_request ON managed_tx (submitter, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX managed_tx_unfinished ON managed_tx (submitter, accept_sequence) WHERE NOT done;
CREATE INDEX managed_tx_accepted ON managed_tx (submitter, accept_sequence);

CREATE TABLE tx_intent (
    tx_id   BLOB NOT NULL PRIMARY KEY,
    payload TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE nonce_assignment (
    submitter TEXT    NOT NULL,
    nonce     INTEGER NOT NULL,
    tx_id     BLOB    NOT NULL,
    PRIMARY KEY (submitter, nonce)
) STRICT, WITHOUT ROWID;

CREATE TABLE tx_attempt (
    tx_id         BLOB    NOT NULL,
    ordinal       INTEGER NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind IN ('original', 'bump', 'filler')),
    nonce         INTEGER NOT NULL,
    tx_hash       BLOB    NOT NULL,
    raw           BLOB    NOT NULL,
    gas_params    TEXT    NOT NULL,
    fencing_token INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (tx_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX tx_attempt_hash ON tx_attempt (tx_hash);

-- `number` is the commit order: there is one writer.
CREATE TABLE tx_event (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    tx_id         BLOB    NOT NULL,
    sequence      INTEGER,
    kind          TEXT    NOT NULL,
    body          TEXT    NOT NULL,
    node          TEXT    NOT NULL,
    fencing_token INTEGER,
    times         INTEGER NOT NULL DEFAULT 1,
    first_at      INTEGER NOT NULL,
    last_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX tx_event_history ON tx_event (tx_id, number);
CREATE INDEX tx_event_outbox ON tx_event (number) WHERE sequence IS NOT NULL;

CREATE TABLE submitter_command (
    sequence      INTEGER PRIMARY KEY AUTOINCREMENT,
    submitter     TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    tx_id         BLOB,
    requested_by  TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    done          INTEGER NOT NULL DEFAULT 0,
    done_at       INTEGER,
    fencing_token INTEGER,
    created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX submitter_command_pending ON submitter_command (submitter, sequence) WHERE NOT done;

CREATE TABLE chain_block (
    chain       TEXT    NOT NULL,
    number      INTEGER NOT NULL,
    hash        BLOB    NOT NULL,
    parent_hash BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (chain, number, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
    node_id      TEXT    NOT NULL PRIMARY KEY,
    address      TEXT    NOT NULL,
    started_at   INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submitter_nonce_state (
    submitter        TEXT    NOT NULL PRIMARY KEY,
    next_local_nonce INTEGER NOT NULL,
    last_chain_nonce INTEGER NOT NULL,
    fencing_token    INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submitter_nonce_allocation (
    submitter     TEXT    NOT NULL,
    nonce         INTEGER NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('RESERVED', 'USED', 'RECYCLABLE')),
    lock_owner    TEXT    NOT NULL,
    locked_until  INTEGER NOT NULL,
    tx_hash       BLOB,
    reason        TEXT    NOT NULL DEFAULT '',
    fencing_token INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (submitter, nonce)
) STRICT, WITHOUT ROWID;
