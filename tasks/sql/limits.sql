-- limits.sql: what a tenant may use.
SELECT slots, window_rows, rate, tasks, jobs, bytes, priority, schedules, weight FROM rollcall.limits WHERE tenant = @tenant
