-- 00041_imports: the page of imports reads the first entries of an index for each state.
--
-- Forward only. Safe while the previous version runs. Each step may be repeated after a crash.

-- +goose NO TRANSACTION
-- +goose Up
-- Imports are tasks with columns; tasks of Go programs have none and write no entry.
-- The imports of a tenant by status, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_imports_idx ON tasks (tenant, status, num DESC)
    WHERE type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
-- Those with rows whose retries are exhausted, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_errors_idx ON tasks (tenant, num DESC)
    WHERE error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
