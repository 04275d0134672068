-- insert.sql: add a chunk of events; SQLite's way (Postgres copies them).
INSERT INTO events (id, row, key, status, params, code, col, value, message, hint, fields, finished_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
       value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11
FROM json_each(@rows)
