-- drop_witness.sql: remove the count of a witness, unless it has counted more since.
DELETE FROM rollcall.ledger WHERE name = @name AND value = @commits
