-- pause_tenant.sql: pause or resume a tenant. Changes nothing if the tenant has this state already,
-- or if the owner of the service has paused it.
INSERT INTO rollcall.limits (tenant, paused, changed_at)
VALUES (@tenant, @paused, @now)
ON CONFLICT (tenant) DO UPDATE
SET paused = excluded.paused, changed_at = excluded.changed_at
WHERE limits.paused <> excluded.paused AND NOT limits.stopped
