-- lock_after.sql: lock out other transactions that add a task with a parent and with tasks to start
-- after: two at once could make a cycle that neither finds. A transaction runs this statement
-- before it locks a task. Otherwise two transactions, each with a locked task, could deadlock.
UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'after'
