-- reset_limits.sql: leave of the limits of a tenant what the owner of the service has set: limits,
-- weight and pause.
UPDATE limits SET slots = most_slots, window_rows = most_window_rows, rate = most_rate, tasks = most_tasks,
    jobs = most_jobs, bytes = most_bytes, priority = most_priority, schedules = most_schedules, paused = stopped
WHERE tenant = @tenant
