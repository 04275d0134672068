-- stop_tenant.sql: pause a tenant for the owner, or have it go on. It touches a row if that
-- changes anything.
INSERT INTO rollcall.limits (tenant, paused, stopped, changed_at)
VALUES (@tenant, @stopped, @stopped, @now)
ON CONFLICT (tenant) DO UPDATE
SET paused = excluded.paused, stopped = excluded.stopped, changed_at = excluded.changed_at
WHERE limits.paused <> excluded.paused OR limits.stopped <> excluded.stopped
