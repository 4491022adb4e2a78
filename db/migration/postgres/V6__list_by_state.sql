-- Lists of the transactions in one state, which people ask for when something is wrong: a few among millions that were
-- confirmed. The state itself must not stand in an index, for the frequent updates would no longer be HOT; the verdict
-- changes only with `done`, which stands in one already.
ALTER TABLE managed_tx ADD COLUMN verdict text GENERATED ALWAYS AS (CASE WHEN done THEN state END) STORED;
CREATE INDEX managed_tx_verdict ON managed_tx (verdict, accept_sequence) WHERE verdict <> 'CONFIRMED';

-- Those who have unfinished transactions; from one to the next by the index, for there are many transactions to each.
CREATE VIEW unfinished_submitter AS
WITH RECURSIVE unfinished AS (
    (SELECT submitter FROM managed_tx WHERE NOT done ORDER BY submitter LIMIT 1)
    UNION ALL
    SELECT (SELECT t.submitter FROM managed_tx t WHERE NOT t.done AND t.submitter > u.submitter
            ORDER BY t.submitter LIMIT 1)
    FROM unfinished u
    WHERE u.submitter IS NOT NULL
)
SELECT submitter FROM unfinished WHERE submitter IS NOT NULL;
