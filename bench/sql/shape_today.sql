-- shape_today.sql: create a table of rows like that of the ledger, in which an outcome updates its row.
CREATE TABLE shape (LIKE rollcall.events INCLUDING ALL) WITH (fillfactor = 45);
