-- epoch.sql: increase the fencing epoch and return it. The epoch is at least @now, in unix ms, so
-- a ledger that was restored to an older state returns no epoch twice.
UPDATE rollcall.ledger SET value = CASE WHEN value < @now THEN @now ELSE value + 1 END
WHERE name = 'epoch' RETURNING value
