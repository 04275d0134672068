-- 00017_export: files that a task makes, and the parts that they are made of.
--
-- Forward only. Safe while the previous version runs: it knows no kind of export,
-- so it has no task with an unmerged file; every default changes nothing.
--
--   unmerged          the task makes a file, which is not there yet
--   result_id         name of that file in the blob store; empty: none
--   result_name       as a person calls it
--   result_size       bytes
--   result_sha256     hex
--   result_rows       how many it has, without headings
--   result_purged_at  when the file was deleted, in unix ms

-- +goose Up
ALTER TABLE tasks ADD COLUMN unmerged boolean NOT NULL DEFAULT FALSE;
ALTER TABLE tasks ADD COLUMN result_id text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN result_name text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN result_size bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN result_sha256 text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN result_rows bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN result_purged_at bigint NOT NULL DEFAULT 0;

-- What mergers look for: few rows, however many tasks are kept.
CREATE INDEX tasks_unmerged_idx ON tasks (num) WHERE unmerged AND finished_at = 0;
-- A file is looked up by its name.
CREATE UNIQUE INDEX tasks_result_idx ON tasks (result_id) WHERE result_id <> '';

-- Files of parts that are in the blob store, of whichever run.
--   token, run  the fence of the run that wrote it; the greatest pair counts
--   rows        how many it has; 0 once a later run has begun without it
CREATE TABLE export_parts (
    file_id  text   PRIMARY KEY,
    task_num bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    seq      bigint NOT NULL,
    token    bigint NOT NULL,
    run      bigint NOT NULL,
    rows     bigint NOT NULL
);
CREATE INDEX export_parts_task_idx ON export_parts (task_num, seq);
