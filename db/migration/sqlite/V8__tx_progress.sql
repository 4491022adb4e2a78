-- How far a transaction has got on its way into a block (see PostgreSQL's).
ALTER TABLE managed_tx ADD COLUMN progress TEXT;
ALTER TABLE managed_tx ADD COLUMN progress_at INTEGER;
