-- insert.sql: add a schedule, unless the tenant has reached its limit of schedules: its own limit or, if
-- it has none, @most.
INSERT INTO rollcall.schedules (
    id, tenant, name, cron, time_zone, catch_up, request, created_by, maker,
    created_at, updated_at, version, next_run_at, due_at
)
SELECT @id, @tenant, @name, @cron, @zone, @catch_up, @request, @by, @maker,
    cast(@now AS bigint), cast(@now AS bigint), 1, cast(@next AS bigint), cast(@next AS bigint)
WHERE (SELECT count(*) FROM rollcall.schedules WHERE tenant = @tenant) 
    < coalesce((SELECT l.schedules FROM rollcall.limits l WHERE l.tenant = @tenant AND l.schedules > 0), @most)
