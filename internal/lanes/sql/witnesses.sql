-- witnesses.sql: how many commits of each witness the ledger has, and when the last was
-- made. See internal/ledger/witness.go.
SELECT name, value, cast(note AS bigint) FROM rollcall.ledger WHERE name LIKE 'witness:%'
