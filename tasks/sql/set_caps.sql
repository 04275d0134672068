-- set_caps.sql: set the caps on the limits of a tenant. A limit becomes the new cap if it equaled
-- the old cap, is above the new cap, or is not set.
INSERT INTO rollcall.limits (
    tenant, slots, window_rows, rate, tasks, jobs, bytes, priority, schedules, most_slots, most_window_rows, most_rate,
    most_tasks, most_jobs, most_bytes, most_priority, most_schedules, changed_at
)
VALUES (
    @tenant, @slots, @window, @rate, @tasks, @jobs, @bytes, @priority, @schedules, @slots, @window, @rate,
    @tasks, @jobs, @bytes, @priority, @schedules, @now
)
ON CONFLICT (tenant) DO UPDATE SET
    slots = CASE WHEN limits.slots = limits.most_slots OR excluded.most_slots > 0
        AND (limits.slots = 0 OR limits.slots > excluded.most_slots) THEN excluded.most_slots ELSE limits.slots END,
    most_slots = excluded.most_slots,
    window_rows = CASE WHEN limits.window_rows = limits.most_window_rows OR excluded.most_window_rows > 0
        AND (limits.window_rows = 0 OR limits.window_rows > excluded.most_window_rows) THEN excluded.most_window_rows ELSE limits.window_rows END,
    most_window_rows = excluded.most_window_rows,
    rate = CASE WHEN limits.rate = limits.most_rate OR excluded.most_rate > 0
        AND (limits.rate = 0 OR limits.rate > excluded.most_rate) THEN excluded.most_rate ELSE limits.rate END,
    most_rate = excluded.most_rate,
    tasks = CASE WHEN limits.tasks = limits.most_tasks OR excluded.most_tasks > 0
        AND (limits.tasks = 0 OR limits.tasks > excluded.most_tasks) THEN excluded.most_tasks ELSE limits.tasks END,
    most_tasks = excluded.most_tasks,
    jobs = CASE WHEN limits.jobs = limits.most_jobs OR excluded.most_jobs > 0
        AND (limits.jobs = 0 OR limits.jobs > excluded.most_jobs) THEN excluded.most_jobs ELSE limits.jobs END,
    most_jobs = excluded.most_jobs,
    bytes = CASE WHEN limits.bytes = limits.most_bytes OR excluded.most_bytes > 0
        AND (limits.bytes = 0 OR limits.bytes > excluded.most_bytes) THEN excluded.most_bytes ELSE limits.bytes END,
    most_bytes = excluded.most_bytes,
    priority = CASE WHEN limits.priority = limits.most_priority OR excluded.most_priority > 0
        AND (limits.priority = 0 OR limits.priority > excluded.most_priority) THEN excluded.most_priority ELSE limits.priority END,
    most_priority = excluded.most_priority,
    schedules = CASE WHEN limits.schedules = limits.most_schedules OR excluded.most_schedules > 0
        AND (limits.schedules = 0 OR limits.schedules > excluded.most_schedules) THEN excluded.most_schedules ELSE limits.schedules END,
    most_schedules = excluded.most_schedules,
    changed_at = excluded.changed_at
