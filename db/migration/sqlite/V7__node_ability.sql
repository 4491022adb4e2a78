-- What a node is able to work with (see PostgreSQL's).
ALTER TABLE node ADD COLUMN ability TEXT NOT NULL DEFAULT '{}';
