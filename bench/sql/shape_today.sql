-- shape_today.sql: a table of rows as the ledger has it: an outcome updates its row.
CREATE TABLE shape (LIKE rollcall.events INCLUDING ALL) WITH (fillfactor = 45);
