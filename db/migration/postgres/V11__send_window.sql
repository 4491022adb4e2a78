-- How many nonces of a submitter may be in flight, why not more, and since when: what the lane has found out of pools,
-- for the next owner and for people. Null until a lane wrote it. No index may contain these columns, so that the
-- updates stay HOT.
ALTER TABLE submitter_nonce_cursor
    ADD COLUMN window_size integer,
    ADD COLUMN window_limit text,
    ADD COLUMN window_changed_at timestamptz;
