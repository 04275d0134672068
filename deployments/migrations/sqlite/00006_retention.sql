-- 00006_retention: what retention has to know. SQLite has no partitions.

-- +goose Up
-- keep       ms for which a task is kept once it is done
-- purged_at  when it was purged: the row that is left tells only that it was
-- file_purged_at  when its uploaded file was deleted
ALTER TABLE tasks ADD COLUMN keep bigint NOT NULL DEFAULT 7776000000;
ALTER TABLE tasks ADD COLUMN purged_at bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN file_purged_at bigint NOT NULL DEFAULT 0;

-- What is to be purged next, however many tasks are kept.
CREATE INDEX tasks_expiry_idx ON tasks (expires_at) WHERE finished_at > 0 AND purged_at = 0;
-- Whose file is to be deleted next.
CREATE INDEX tasks_file_expiry_idx ON tasks (finished_at)
    WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0;
-- Whose file it is.
CREATE INDEX tasks_file_idx ON tasks (file_id) WHERE file_id <> '';

-- keeper, sweeper: unix ms until which the process in note does that work.
INSERT INTO ledger (name, value) VALUES ('keeper', 0), ('sweeper', 0);
