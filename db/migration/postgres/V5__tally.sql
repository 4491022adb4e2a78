-- How many of a submitter's transactions have which verdict. Whoever looks at a submitter is told, and there may be
-- millions of them: those that have their verdict are counted as they get it, by the write that gives it, and never
-- again. A verdict is final, so the numbers only grow. Only `count` and what goes with it change: the updates are HOT.
CREATE TABLE submitter_tally (
    submitter     text COLLATE "C" NOT NULL,
    state         text        NOT NULL,
    count         bigint      NOT NULL,
    fencing_token bigint      NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (submitter, state)
) WITH (fillfactor = 50);

-- Nobody settles anything between the count and the first write that knows of the table, if older nodes are stopped.
LOCK TABLE managed_tx IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO submitter_tally (submitter, state, count, fencing_token, updated_at)
SELECT submitter, state, count(*), coalesce(max(fencing_token), 0), clock_timestamp()
FROM managed_tx
WHERE done
GROUP BY submitter, state;
