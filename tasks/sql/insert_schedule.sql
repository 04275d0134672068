-- insert_schedule.sql: add a schedule, unless the tenant has as many as it may have; @most if it
-- has no number of its own.
INSERT INTO schedules (
    id, tenant, name, cron, time_zone, catch_up, request, created_by, maker,
    created_at, updated_at, version, next_run_at, due_at
)
SELECT @id, @tenant, @name, @cron, @zone, @catch_up, @request, @by, @maker,
    cast(@now AS bigint), cast(@now AS bigint), 1, cast(@next AS bigint), cast(@next AS bigint)
WHERE (SELECT count(*) FROM schedules WHERE tenant = @tenant) 
    < coalesce((SELECT l.schedules FROM limits l WHERE l.tenant = @tenant AND l.schedules > 0), @most)
