-- lock_after.sql: keep other transactions from tying tasks both to a parent and to others that they
-- start after, until this one ends: two of them could make a cycle that neither sees. It comes before
-- the lock of a task, for two transactions that lock a task each could wait for each other.
UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'after'
