-- drop_witness.sql: remove the count of a witness, unless the count has changed since it was
-- read.
DELETE FROM rollcall.ledger WHERE name = @name AND value = @commits
