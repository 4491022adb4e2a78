-- How many of a submitter's transactions have which verdict (see PostgreSQL's).
CREATE TABLE submitter_tally (
    submitter     TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    count         INTEGER NOT NULL,
    fencing_token INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (submitter, state)
) STRICT, WITHOUT ROWID;

INSERT INTO submitter_tally (submitter, state, count, fencing_token, updated_at)
SELECT submitter, state, count(*), coalesce(max(fencing_token), 0), max(updated_at)
FROM managed_tx
WHERE done
GROUP BY submitter, state;
