-- expire.sql: delete mappings without a name that were not used since @before. Also delete
-- unconfirmed mappings that were not used since @tried, except those of unfinished tasks.
DELETE FROM rollcall.mappings
WHERE used_at < @before AND name = ''
    OR used_at < @tried AND NOT confirmed
    AND NOT EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = mappings.task_id AND t.finished_at = 0)
