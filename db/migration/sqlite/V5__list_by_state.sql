-- Lists of the transactions in one state, which people ask for when something is wrong: a few among millions that were
-- confirmed. (Those that are not settled have an index already.)
CREATE INDEX managed_tx_verdict ON managed_tx (state, accept_sequence) WHERE done AND state <> 'CONFIRMED';
