-- caps.sql: what the owner allows a tenant to use.
SELECT most_slots, most_window_rows, most_rate, most_tasks, most_jobs, most_bytes, most_priority, most_schedules
FROM rollcall.limits WHERE tenant = @tenant
