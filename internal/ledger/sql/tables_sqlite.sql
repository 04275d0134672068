-- tables_sqlite.sql: return the names of the tables; SQLite only.
SELECT name FROM sqlite_master WHERE type = 'table'
