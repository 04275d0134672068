-- purge_groups.sql: forget the causes of errors of the tasks just purged.
DELETE FROM error_groups
WHERE task_num IN (SELECT num FROM tasks WHERE purged_at = @now)
