-- holders_sqlite.sql: the rows of a task that have one of some keys, in file order, with
-- what tells whether they hold it. SQLite's way.
--
-- @low is the id of the task's row 0, @high that of the next task; @keys is a JSON array.
SELECT id, row, key, status, code, fields, resolution FROM events
WHERE id > @low AND id < @high AND key IN (SELECT value FROM json_each(@keys))
ORDER BY id
