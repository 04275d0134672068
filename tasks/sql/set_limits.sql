-- set_limits.sql: set the limits of a tenant. A limit that is 0 or above its cap becomes the cap.
INSERT INTO rollcall.limits (tenant, slots, window_rows, rate, tasks, jobs, bytes, priority, schedules, changed_at)
VALUES (@tenant, @slots, @window, @rate, @tasks, @jobs, @bytes, @priority, @schedules, @now)
ON CONFLICT (tenant) DO UPDATE SET
    slots = CASE WHEN limits.most_slots > 0 AND (excluded.slots = 0 OR excluded.slots > limits.most_slots)
        THEN limits.most_slots ELSE excluded.slots END,
    window_rows = CASE WHEN limits.most_window_rows > 0 AND (excluded.window_rows = 0 OR excluded.window_rows > limits.most_window_rows)
        THEN limits.most_window_rows ELSE excluded.window_rows END,
    rate = CASE WHEN limits.most_rate > 0 AND (excluded.rate = 0 OR excluded.rate > limits.most_rate)
        THEN limits.most_rate ELSE excluded.rate END,
    tasks = CASE WHEN limits.most_tasks > 0 AND (excluded.tasks = 0 OR excluded.tasks > limits.most_tasks)
        THEN limits.most_tasks ELSE excluded.tasks END,
    jobs = CASE WHEN limits.most_jobs > 0 AND (excluded.jobs = 0 OR excluded.jobs > limits.most_jobs)
        THEN limits.most_jobs ELSE excluded.jobs END,
    bytes = CASE WHEN limits.most_bytes > 0 AND (excluded.bytes = 0 OR excluded.bytes > limits.most_bytes)
        THEN limits.most_bytes ELSE excluded.bytes END,
    priority = CASE WHEN limits.most_priority > 0 AND (excluded.priority = 0 OR excluded.priority > limits.most_priority)
        THEN limits.most_priority ELSE excluded.priority END,
    schedules = CASE WHEN limits.most_schedules > 0 AND (excluded.schedules = 0 OR excluded.schedules > limits.most_schedules)
        THEN limits.most_schedules ELSE excluded.schedules END,
    changed_at = excluded.changed_at
