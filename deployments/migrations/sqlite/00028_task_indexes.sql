-- 00028_task_indexes: indexes of tasks.
--
-- Forward only. Safe while the previous version runs.

-- +goose Up

-- The files of a kind that came after a task, however many tasks others made.
CREATE INDEX IF NOT EXISTS tasks_files_idx ON tasks (tenant, kind, num) WHERE file_sha256 <> '';
