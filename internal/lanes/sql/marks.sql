-- marks.sql: return the generation mark that Redis must have, and the number that rises
-- with each cancel.
SELECT r.note, c.value
FROM rollcall.ledger r, rollcall.ledger c
WHERE r.name = 'redis' AND c.name = 'cancels'
