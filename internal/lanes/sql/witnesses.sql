-- witnesses.sql: return the number of commits of each witness, and the time of the last one. See
-- internal/ledger/witness.go.
SELECT name, value, cast(note AS bigint) FROM rollcall.ledger WHERE name LIKE 'witness:%'
