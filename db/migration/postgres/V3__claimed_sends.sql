-- What a connector that holds the key is asked to sign and send, before it is asked: no hash and no bytes are known by
-- then. One row per variant (original, bump, filler), in order, never changed. A variant of which tx_attempt has no row
-- with the same kind and gas_params may have been sent, or not.
CREATE TABLE tx_claimed_send (
    tx_id         uuid        NOT NULL,
    ordinal       integer     NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('original', 'bump', 'filler')),
    nonce         bigint      NOT NULL,
    payload       jsonb       NOT NULL,  -- to, value, data, gas and fee
    fencing_token bigint      NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tx_id, ordinal)
);
