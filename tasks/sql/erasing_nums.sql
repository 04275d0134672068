-- erasing_nums.sql: return the numbers, above @after, of the tasks whose files have to be deleted.
SELECT value FROM rollcall.ledger
WHERE name >= 'erasing:' AND name < 'erasing;' AND value > @after
ORDER BY value
LIMIT @most
