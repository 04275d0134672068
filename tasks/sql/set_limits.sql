-- set_limits.sql: change what a tenant may use.
INSERT INTO limits (tenant, slots, window_rows, changed_at)
VALUES (@tenant, @slots, @window, @now)
ON CONFLICT (tenant) DO UPDATE
SET slots = excluded.slots, window_rows = excluded.window_rows, changed_at = excluded.changed_at
