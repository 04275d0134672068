-- drop_failed.sql: delete the mappings of some headings and a kind, if their task has ended without a row
-- that succeeded.
DELETE FROM rollcall.mappings
WHERE tenant = @tenant AND kind = @kind AND print = @print AND NOT confirmed
    AND EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = mappings.task_id AND t.finished_at > 0 AND t.finish = 0)
