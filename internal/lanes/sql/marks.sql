-- marks.sql: the mark that Redis must carry, and how many tasks were canceled.
SELECT r.note, c.value
FROM rollcall.ledger r, rollcall.ledger c
WHERE r.name = 'redis' AND c.name = 'cancels'
