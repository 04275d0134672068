-- caps.sql: return the caps on the limits of a tenant.
SELECT most_slots, most_window_rows, most_rate, most_tasks, most_jobs, most_bytes, most_priority, most_schedules
FROM rollcall.limits WHERE tenant = @tenant
