-- set_limits.sql: change what a tenant may use.
INSERT INTO limits (tenant, slots, window_rows, rate, tasks, jobs, bytes, changed_at)
VALUES (@tenant, @slots, @window, @rate, @tasks, @jobs, @bytes, @now)
ON CONFLICT (tenant) DO UPDATE
SET slots = excluded.slots, window_rows = excluded.window_rows, rate = excluded.rate,
    tasks = excluded.tasks, jobs = excluded.jobs, bytes = excluded.bytes,
    changed_at = excluded.changed_at
