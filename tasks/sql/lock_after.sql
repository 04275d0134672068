-- lock_after.sql: let only one transaction at a time add a task that has a parent and also starts
-- after other tasks. Two at once could make a cycle that neither finds. A transaction runs this
-- statement before it locks a task. Otherwise two transactions, each with a locked task, could deadlock.
UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'after'
