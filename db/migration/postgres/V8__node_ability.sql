-- What a node is able to work with, per chain and per signer, and since when: others place lanes by it (failure 38).
-- Written with every heartbeat. No index may contain it, so that the updates stay HOT.
ALTER TABLE node ADD COLUMN ability jsonb NOT NULL DEFAULT '{}';
