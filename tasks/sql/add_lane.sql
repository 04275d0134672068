-- add_lane.sql: make the lane of a task, if it is its first.
INSERT INTO lanes (tenant, kind)
SELECT t.tenant, t.kind FROM tasks t
WHERE t.num = @num AND NOT EXISTS (SELECT 1 FROM lanes n WHERE n.tenant = t.tenant AND n.kind = t.kind)
ON CONFLICT (tenant, kind) DO NOTHING
