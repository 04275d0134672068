-- insert.sql: add a schedule, if the tenant has fewer than its limit, or than @most without a
-- limit of its own.
INSERT INTO rollcall.schedules (
    id, tenant, name, cron, time_zone, catch_up, request, created_by, maker,
    created_at, updated_at, version, next_run_at, due_at
)
SELECT @id, @tenant, @name, @cron, @zone, @catch_up, @request, @by, @maker,
    cast(@now AS bigint), cast(@now AS bigint), 1, cast(@next AS bigint), cast(@next AS bigint)
WHERE (SELECT count(*) FROM rollcall.schedules WHERE tenant = @tenant) 
    < coalesce((SELECT l.schedules FROM rollcall.limits l WHERE l.tenant = @tenant AND l.schedules > 0), @most)
