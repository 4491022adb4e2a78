-- How many nonces of a submitter may be in flight, why not more, and since when (see PostgreSQL's).
ALTER TABLE submitter_nonce_cursor ADD COLUMN window_size INTEGER;
ALTER TABLE submitter_nonce_cursor ADD COLUMN window_limit TEXT;
ALTER TABLE submitter_nonce_cursor ADD COLUMN window_changed_at INTEGER;
