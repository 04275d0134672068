-- confirm.sql: confirm the mappings whose task has ended with rows that succeeded. An index finds the
-- mappings that are not confirmed.
UPDATE rollcall.mappings SET confirmed = TRUE
WHERE NOT confirmed
    AND EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = mappings.task_id AND t.finished_at > 0 AND t.finish > 0)
