-- erasing_nums.sql: return the tasks whose files have to be deleted, those behind @after.
SELECT value FROM rollcall.ledger
WHERE name >= 'erasing:' AND name < 'erasing;' AND value > @after
ORDER BY value
LIMIT @most
