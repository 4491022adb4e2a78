-- The whole state of Fencepost. What belongs to a submitter is written only under its fence (docs/critical-writes.md):
-- in a transaction that holds the lock on its lease row and found itself the owner there. Frequent updates touch no
-- indexed column, so that they stay HOT: no index, and no partial index's predicate, contains state or a time.
-- Keys are compared byte by byte (COLLATE "C"): faster, and no upgrade of the system's locales breaks an index.

-- Who may write for a submitter. The row is never deleted: tokens must never restart.
CREATE TABLE submitter_lease (
    submitter     text COLLATE "C"        NOT NULL PRIMARY KEY,
    owner_node    text        NOT NULL,
    fencing_token bigint      NOT NULL,
    acquired_at   timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Whether new intents are accepted. Read by accept without a lock; no row means ACTIVE.
CREATE TABLE submitter_status (
    submitter     text COLLATE "C"        NOT NULL PRIMARY KEY,
    status        text        NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'PROTECT')),
    reason        text        NOT NULL,
    fencing_token bigint      NOT NULL,
    updated_at    timestamptz NOT NULL
);

-- The next nonce that was never committed, and the lowest that is not finalized: lanes watch from there.
CREATE TABLE submitter_nonce_cursor (
    submitter     text COLLATE "C"        NOT NULL PRIMARY KEY,
    next_nonce    bigint      NOT NULL,
    watch_from    bigint      NOT NULL,
    fencing_token bigint      NOT NULL,
    updated_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The order of acceptance. Not the UUID: ids are made before the commit.
CREATE SEQUENCE accept_sequence AS bigint CACHE 1;

-- The small hot row of a transaction. Its payload stands in tx_intent, its variants in tx_attempt.
CREATE TABLE managed_tx (
    tx_id                uuid        NOT NULL PRIMARY KEY,
    accept_sequence      bigint      NOT NULL,
    submitter            text COLLATE "C"        NOT NULL,
    request_id           text COLLATE "C",
    fingerprint          bytea       NOT NULL,
    state                text        NOT NULL DEFAULT 'QUEUED',
    sub_state            text        NOT NULL DEFAULT '',
    abandonment          text        NOT NULL DEFAULT '',
    nonce                bigint,
    tx_hash              bytea,
    done                 boolean     NOT NULL DEFAULT false,  -- settled; flips once
    submit_attempts      integer     NOT NULL DEFAULT 0,
    first_submit_at      timestamptz,
    last_submit_at       timestamptz,
    next_resubmit_at     timestamptz,
    last_receipt_check   timestamptz,
    last_error           text,
    receipt              jsonb,
    receipt_block_number bigint,
    receipt_block_hash   bytea,
    confirmations        jsonb,                               -- kept when it settles
    confirmed_at         timestamptz,
    next_event           bigint      NOT NULL DEFAULT 1,      -- numbers this transaction's events
    fencing_token        bigint,
    created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at           timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 20);  -- the row more than doubles on its way, and old and new must fit on its page

-- Idempotency is decided here, inside the insert.
CREATE UNIQUE INDEX managed_tx_request ON managed_tx (submitter, request_id) WHERE request_id IS NOT NULL;
-- Unfinished work, in acceptance order: the queue's head and what is in flight.
CREATE INDEX managed_tx_unfinished ON managed_tx (submitter, accept_sequence) WHERE NOT done;
-- Lists for people, page by page.
CREATE INDEX managed_tx_accepted ON managed_tx (submitter, accept_sequence);

-- What the caller asked for; insert-only, because rewriting it with every change of state cost a quarter.
CREATE TABLE tx_intent (
    tx_id   uuid  NOT NULL PRIMARY KEY,
    payload jsonb NOT NULL
);

-- The ledger of nonces; insert-only. A nonce is given once, to one transaction.
CREATE TABLE nonce_assignment (
    submitter text COLLATE "C"   NOT NULL,
    nonce     bigint NOT NULL,
    tx_id     uuid   NOT NULL,
    PRIMARY KEY (submitter, nonce)
);

-- Every signed variant, on record before a byte of it is sent.
CREATE TABLE tx_attempt (
    tx_id         uuid        NOT NULL,
    ordinal       integer     NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('original', 'bump', 'filler')),
    nonce         bigint      NOT NULL,
    tx_hash       bytea       NOT NULL,
    raw           bytea       NOT NULL,
    gas_params    jsonb       NOT NULL,
    fencing_token bigint      NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tx_id, ordinal)
);
-- A transaction is found by the hash of any of its attempts.
CREATE INDEX tx_attempt_hash ON tx_attempt (tx_hash);

-- History and outbox in one. A row with a sequence is an event: told to the world, never folded. A row without one is a
-- step of the history; equal consecutive steps are folded into one row with a count. Each row stands in one index only:
-- steps are read by their transaction, events in the order of their commits.
CREATE TABLE tx_event (
    tx_id         uuid        NOT NULL,
    -- Of a step: drawn from one sequence. Of an event: its place within the database transaction that wrote it.
    number        bigint      NOT NULL GENERATED BY DEFAULT AS IDENTITY,
    sequence      bigint,
    next_event    bigint,     -- of a step: the next event's sequence then; a step folds only into one with the same
    kind          text        NOT NULL,
    body          text        NOT NULL,  -- JSON, as written: nothing in the database looks into it
    node          text        NOT NULL,
    fencing_token bigint,
    times         integer     NOT NULL DEFAULT 1,
    first_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The transaction that wrote it. One begun early may be committed late: readers go by this one, and only as far as
    -- every transaction before it has ended.
    transaction   xid8        NOT NULL DEFAULT pg_current_xact_id()
);
CREATE UNIQUE INDEX tx_event_history ON tx_event (tx_id, number) WHERE sequence IS NULL;
CREATE UNIQUE INDEX tx_event_outbox ON tx_event (transaction, number) WHERE sequence IS NOT NULL;

-- What people and callers ask of a lane. Written by any node, done by the lane under its fence.
CREATE TABLE submitter_command (
    sequence      bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    submitter     text COLLATE "C"        NOT NULL,
    kind          text        NOT NULL,
    tx_id         uuid,
    requested_by  text        NOT NULL,
    reason        text        NOT NULL,
    done          boolean     NOT NULL DEFAULT false,
    done_at       timestamptz,
    fencing_token bigint,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX submitter_command_pending ON submitter_command (submitter, sequence) WHERE NOT done;

-- The shared tree of headers. Insert-only: what is canonical is each follower's own view.
CREATE TABLE chain_block (
    chain       text        NOT NULL,
    number      bigint      NOT NULL,
    hash        bytea       NOT NULL,
    parent_hash bytea       NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (chain, number, hash)
);

CREATE TABLE node (
    node_id      text        NOT NULL PRIMARY KEY,
    address      text        NOT NULL,
    started_at   timestamptz NOT NULL,
    heartbeat_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Relaxed mode, for keys that are shared with other systems.
CREATE TABLE submitter_nonce_state (
    submitter        text COLLATE "C"        NOT NULL PRIMARY KEY,
    next_local_nonce bigint      NOT NULL,
    last_chain_nonce bigint      NOT NULL,
    fencing_token    bigint      NOT NULL,
    updated_at       timestamptz NOT NULL
);
CREATE TABLE submitter_nonce_allocation (
    submitter     text COLLATE "C"        NOT NULL,
    nonce         bigint      NOT NULL,
    status        text        NOT NULL CHECK (status IN ('RESERVED', 'USED', 'RECYCLABLE')),
    lock_owner    text        NOT NULL,
    locked_until  timestamptz NOT NULL,
    tx_hash       bytea,
    reason        text        NOT NULL DEFAULT '',
    fencing_token bigint      NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (submitter, nonce)
);

-- A transaction as callers see it; the columns in the order in which the program reads them.
CREATE VIEW tx_view AS
SELECT t.tx_id, t.submitter, t.request_id, t.accept_sequence, i.payload, t.state, t.sub_state, t.abandonment, t.nonce,
       t.tx_hash, t.submit_attempts, t.first_submit_at, t.last_submit_at, t.next_resubmit_at, t.last_receipt_check,
       t.receipt, t.confirmed_at, t.last_error, t.fencing_token, t.created_at, t.updated_at
FROM managed_tx t
JOIN tx_intent i ON i.tx_id = t.tx_id;
