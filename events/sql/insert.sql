-- insert.sql: add one event; SQLite's way (Postgres copies them).
INSERT INTO events (id, row, key, status, params, code, col, value, message, hint, fields, result,
                    finished_at, key_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
