-- A list of everybody's transactions, page by page, for operators: without this each page sorted the whole table. The
-- column never changes, so the frequent updates of managed_tx stay HOT. (In SQLite it is the row's own key.)
CREATE INDEX managed_tx_sequence ON managed_tx (accept_sequence);
