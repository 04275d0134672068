-- 00040_singles: adding a task of one job and ending it writes fewer indexes.
--
-- The index of makers leaves out tasks without a maker, which no search finds by maker. No
-- statement reads tasks_unsplit_idx and tasks_unmerged_idx: tasks_work_idx has replaced both.
--
-- Forward only. Safe while the previous version runs. Each step may be repeated after a crash.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS tasks_unsplit_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_unmerged_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_author_idx;
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_author_idx ON tasks (tenant, created_by, num DESC) WHERE created_by <> '';
