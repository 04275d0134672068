-- find.sql: return the latest mapping of some headings and a kind, of those whose task has ended with
-- rows that succeeded.
SELECT m.id, m.kind, m.name, m.headings, m.fields, m.made_by, m.used_at FROM rollcall.mappings m
WHERE m.tenant = @tenant AND m.kind = @kind AND m.print = @print
    AND (m.confirmed OR EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = m.task_id AND t.finished_at > 0 AND t.finish > 0))
ORDER BY m.id DESC
LIMIT 1
