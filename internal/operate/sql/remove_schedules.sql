-- remove_schedules.sql: delete up to @most schedules of a tenant.
DELETE FROM schedules
WHERE num IN (SELECT num FROM schedules WHERE tenant = @tenant ORDER BY num LIMIT @most)
