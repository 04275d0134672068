-- remove_schedules.sql: delete up to @most schedules of a tenant.
DELETE FROM rollcall.schedules
WHERE num IN (SELECT num FROM rollcall.schedules WHERE tenant = @tenant ORDER BY num LIMIT @most)
