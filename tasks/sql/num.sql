-- num.sql: return the number of a task that is not purged.
SELECT num FROM rollcall.tasks WHERE id = @id AND purged_at = 0
