-- 00028_task_indexes: indexes of tasks.
--
-- Forward only. Safe while the previous version runs.

-- +goose Up

-- The files of a kind that came after a task, however many tasks others made.
CREATE INDEX IF NOT EXISTS tasks_files_idx ON tasks (tenant, kind, num) WHERE file_sha256 <> '';
-- What is to be swept: few tasks, however many there were.
CREATE INDEX IF NOT EXISTS tasks_sweep_idx ON tasks (num) WHERE sweep > 0;
-- The oldest task that is kept. The second condition keeps planners from reading it for other
-- questions about kept tasks.
CREATE INDEX IF NOT EXISTS tasks_kept_idx ON tasks (created_at) WHERE purged_at = 0 AND created_at > 0;
