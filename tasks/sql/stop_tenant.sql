-- stop_tenant.sql: pause or resume a tenant, on behalf of the owner of the service. Changes nothing
-- if the tenant has this state already.
INSERT INTO rollcall.limits (tenant, paused, stopped, changed_at)
VALUES (@tenant, @stopped, @stopped, @now)
ON CONFLICT (tenant) DO UPDATE
SET paused = excluded.paused, stopped = excluded.stopped, changed_at = excluded.changed_at
WHERE limits.paused <> excluded.paused OR limits.stopped <> excluded.stopped
