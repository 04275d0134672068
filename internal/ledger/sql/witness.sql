-- witness.sql: add 1 to the commits of a witness. note is the time of the commit, in unix ms. The
-- statement returns no row if the ledger has fewer commits of the witness than @seen.
INSERT INTO rollcall.ledger (name, value, note) VALUES (@name, 1, @now)
ON CONFLICT (name) DO UPDATE SET value = ledger.value + 1, note = excluded.note
WHERE ledger.value >= @seen
RETURNING value
