-- epoch.sql: count the fencing epoch up and tell it.
UPDATE ledger SET value = value + 1 WHERE name = 'epoch' RETURNING value
