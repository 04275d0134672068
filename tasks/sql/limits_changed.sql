-- limits_changed.sql: notify every process that table limits has changed.
UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'cancels'
