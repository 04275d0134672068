-- pause_tenant.sql: pause a tenant, or have it go on unless the owner has stopped it. It touches a
-- row if that changes anything.
INSERT INTO rollcall.limits (tenant, paused, changed_at)
VALUES (@tenant, @paused, @now)
ON CONFLICT (tenant) DO UPDATE
SET paused = excluded.paused, changed_at = excluded.changed_at
WHERE limits.paused <> excluded.paused AND NOT limits.stopped
