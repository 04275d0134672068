-- set_hours.sql: set the run hours of a tenant: the part of the day in which its rows are fed.
INSERT INTO rollcall.limits (tenant, run_hours, changed_at) VALUES (@tenant, @hours, @now)
ON CONFLICT (tenant) DO UPDATE SET run_hours = excluded.run_hours, changed_at = excluded.changed_at
