-- witness.sql: count one more commit of a process; note is its time in unix ms. The
-- statement returns no row if the ledger has fewer commits of the process than @seen.
INSERT INTO rollcall.ledger (name, value, note) VALUES (@name, 1, @now)
ON CONFLICT (name) DO UPDATE SET value = ledger.value + 1, note = excluded.note
WHERE ledger.value >= @seen
RETURNING value
