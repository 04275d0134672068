-- 00040_singles: the index of makers leaves out tasks without a maker. No statement reads
-- tasks_unsplit_idx and tasks_unmerged_idx: tasks_work_idx has replaced both.

-- +goose Up
DROP INDEX tasks_unsplit_idx;
DROP INDEX tasks_unmerged_idx;
DROP INDEX tasks_author_idx;
CREATE INDEX tasks_author_idx ON tasks (tenant, created_by, num DESC) WHERE created_by <> '';
