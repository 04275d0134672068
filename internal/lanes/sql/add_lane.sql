-- add_lane.sql: add the lanes of tasks, unless they exist.
INSERT INTO rollcall.lanes (tenant, kind)
SELECT DISTINCT t.tenant, t.kind FROM rollcall.tasks t
WHERE t.num = ANY (cast(@nums AS bigint[]))
  AND NOT EXISTS (SELECT 1 FROM rollcall.lanes n WHERE n.tenant = t.tenant AND n.kind = t.kind)
ORDER BY t.tenant, t.kind
ON CONFLICT (tenant, kind) DO NOTHING
