-- list.sql: return the mappings of a tenant whose tasks have ended with rows that succeeded, the most
-- recently used first. Of mappings with the same headings, only the latest is returned.
SELECT m.id, m.kind, m.name, m.headings, m.fields, m.made_by, m.used_at FROM rollcall.mappings m
WHERE m.tenant = @tenant
    AND (m.confirmed OR EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = m.task_id AND t.finished_at > 0 AND t.finish > 0))
    AND NOT EXISTS (SELECT 1 FROM rollcall.mappings n WHERE n.tenant = m.tenant AND n.kind = m.kind
        AND n.print = m.print AND n.id > m.id
        AND (n.confirmed OR EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = n.task_id AND t.finished_at > 0 AND t.finish > 0)))
ORDER BY m.used_at DESC, m.id DESC
LIMIT 200
