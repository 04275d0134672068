-- key_taken.sql: a row if another row of a task than @id has a key.
--
-- @low is the id of the task's row 0, @high that of the next task.
SELECT 1 FROM events WHERE id > @low AND id < @high AND key = @key AND id <> @id LIMIT 1
