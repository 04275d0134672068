-- oldest.sql: return the version of the schema that a program must know to use the schema. A
-- migration raises it if it removes or renames something that the programs before it use.
SELECT value FROM rollcall.ledger WHERE name = 'oldest'
