-- holders.sql: return the rows of a task that have one of the given keys, in file order,
-- with the columns that decide whether a row holds its key.
--
-- @low is the id of the task's row 0, @high that of the next task.
SELECT id, row, key, status, attempt, code, fields, resolution FROM events
WHERE id > @low AND id < @high AND key = ANY (cast(@keys AS text[]))
ORDER BY id
