-- limits.sql: return the limits of a tenant.
SELECT slots, window_rows, rate, tasks, jobs, bytes, priority, schedules, weight, run_hours FROM rollcall.limits WHERE tenant = @tenant
