-- reset_limits.sql: reset the limits and the pause of a tenant to the values of the owner. Weight and
-- run hours stay.
UPDATE rollcall.limits SET slots = most_slots, window_rows = most_window_rows, rate = most_rate, tasks = most_tasks,
    jobs = most_jobs, bytes = most_bytes, priority = most_priority, schedules = most_schedules, paused = stopped
WHERE tenant = @tenant
