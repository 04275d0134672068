-- reset_limits.sql: reset the limits of a tenant to the owner's settings: limits, weight and pause.
UPDATE rollcall.limits SET slots = most_slots, window_rows = most_window_rows, rate = most_rate, tasks = most_tasks,
    jobs = most_jobs, bytes = most_bytes, priority = most_priority, schedules = most_schedules, paused = stopped
WHERE tenant = @tenant
