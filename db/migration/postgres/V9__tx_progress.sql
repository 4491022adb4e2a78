-- How far a transaction has got on its way into a block: clocks, counts and decisions that a takeover must not forget
-- (failures 52 and 57). JSON with durations as of progress_at; nothing in the database looks into it. No index may
-- contain these columns, so that the updates stay HOT.
ALTER TABLE managed_tx ADD COLUMN progress text, ADD COLUMN progress_at timestamptz;
